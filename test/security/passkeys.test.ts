/** Approving with a passkey under the public name of the page: what is no approval, and that one is for exactly what was shown. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey, readPasskeys } from '../../src/features/passkeys/kept-passkeys.ts';
import { sendTo } from '../core/approval/page/support.ts';
import { findFreePort } from '../support/free-port.ts';
import { createSoftwarePasskey, type PasskeyChange, readPasskeyOptions } from '../support/software-passkey.ts';
import { carryOn, quantities, waitingDraft } from './draft-support.ts';
import { look, press, type Shown } from './page.ts';
import { notePress } from './recording.ts';
import {
  type Attack,
  type AttackOptions,
  atEndOfFile,
  attack,
  expectNothingLeft,
  letItGoOn,
  ordersThatLeft,
  passphrase,
  roomy,
  waitingOrder,
} from './support.ts';

async function attackWithPasskey(options: AttackOptions = {}) {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const attacked = await attack({ ...options, config: { approvalPage: { origin, port } } });
  const device = createSoftwarePasskey(origin);
  await add(attacked, origin, device, 'phone');
  return { attacked, origin, port, device };
}

async function add(
  { composed }: Attack,
  origin: string,
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
  name: string,
) {
  const enrolledAt = (await composed.security.enrolment())?.enrolledAt ?? 0;
  const passkey = { id, publicKey, counter: 0, name, origin, createdAt: composed.services.clock.now() };
  expect(await composed.journal.change((tx) => addPasskey(tx, passkey, enrolledAt))).toBe(true);
}

const readOptions = ({ text }: Shown) => readPasskeyOptions(text);

/** Sends what a device answered. `isRight`: the judge expects that it approves. */
async function send(address: string, shown: Shown, answer: string, isRight = false, digest = shown.digest) {
  if (isRight) notePress(address, shown, {}, passphrase);
  return press(address, { shown, fields: { csrf: shown.csrf, digest, passphrase: '', passkey: answer } });
}

describe('answers that approve nothing', () => {
  const atEnd = atEndOfFile(afterAll);
  let world: Awaited<ReturnType<typeof attackWithPasskey>>;
  let order: Awaited<ReturnType<typeof waitingOrder>>;
  beforeAll(async () => {
    world = await attackWithPasskey({ atEnd, enrolled: { limits: roomy } });
    await add(world.attacked, 'https://elsewhere.example', createSoftwarePasskey('https://elsewhere.example'), 'old');
    order = await waitingOrder(world.attacked, { quantity: 7 });
  });

  const stillWaits = async () => {
    const intents = await world.attacked.intents();
    expect(intents.map(({ state }) => state)).toEqual(['AWAITING_APPROVAL']);
    await expectNothingLeft(world.attacked);
  };

  const wrong: readonly [what: string, title: RegExp, change: PasskeyChange][] = [
    ['of another page', /was used on another page/, { origin: 'https://evil.example' }],
    ['of the same name without its port', /was used on another page/, { origin: 'http://localhost' }],
    ['of this machine by its number', /was used on another page/, { origin: 'http://127.0.0.1' }],
    ['of a frame in another page', /was used on another page/, { crossOrigin: true }],
    ['over another challenge', /signed something else/, { challenge: 'A'.repeat(43) }],
    ['for another name', /is for another name/, { rpId: 'evil.example' }],
    ['without a check of the user', /did not check that it is you/, { flags: 0x01 }],
    ['without anybody there', /did not check that it is you/, { flags: 0x04 }],
    ['that makes a passkey', /cannot be read/, { type: 'webauthn.create' }],
    ['with other words of the browser', /signature of the passkey is wrong/, { spoil: 'clientDataJSON' }],
    ['with another count than it signed', /signature of the passkey is wrong/, { spoil: 'authenticatorData' }],
    ['with another signature', /signature of the passkey is wrong/, { spoil: 'signature' }],
  ];
  test.each(wrong)('an answer %s', async (_, title, change) => {
    const shown = await look(order.address);
    const reply = await send(order.address, shown, world.device.get(readOptions(shown), change));
    expect([reply.status, title.test(reply.text)]).toEqual([403, true]);
    await stillWaits();
  });

  test('the answer of another passkey, although it says the id of the right one', async () => {
    const shown = await look(order.address);
    const other = createSoftwarePasskey(world.origin);
    const answer = JSON.parse(other.get(readOptions(shown)));
    const strange = await send(order.address, shown, JSON.stringify(answer));
    expect(strange.text).toContain('This passkey is not enrolled here.');
    const again = await look(order.address);
    const forged = JSON.parse(other.get(readOptions(again)));
    const reply = await send(order.address, again, JSON.stringify({ ...forged, id: world.device.id }));
    expect(reply.text).toContain('The signature of the passkey is wrong.');
    await stillWaits();
  });

  test('a passkey of another page is neither asked for nor accepted', async () => {
    const shown = await look(order.address);
    expect(readOptions(shown).get).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      allowCredentials: [{ type: 'public-key', id: world.device.id }],
      userVerification: 'required',
    });
    const [, old] = await world.attacked.composed.journal.read((tx) => readPasskeys(tx));
    const answer = JSON.parse(world.device.get(readOptions(shown)));
    const reply = await send(order.address, shown, JSON.stringify({ ...answer, id: old?.id }));
    expect(reply.text).toContain('This passkey is not enrolled here.');
    await stillWaits();
  });

  test.each([
    ['nothing', ''],
    ['no JSON', 'yes'],
    ['a list', '["a"]'],
    ['other characters', '{"id":"a b"}'],
    ['deep JSON', '['.repeat(1_000)],
  ])('%s', async (_, answer) => {
    const shown = await look(order.address);
    const reply = await send(order.address, shown, answer);
    expect(reply.status).toBe(403);
    expect(reply.text).toMatch(/No passkey was used|cannot be read/);
    await stillWaits();
  });

  test('the right passphrase, because here it could be guessed', async () => {
    const reply = await press(order.address, { fields: { passphrase } });
    expect([reply.status, reply.text.includes('No passkey was used.')]).toEqual([403, true]);
    expect((await look(order.address)).text).not.toContain('name="passphrase"');
    await stillWaits();
  });

  test('an answer for another order, on the page of this one and with its digest', async () => {
    const other = await waitingOrder(world.attacked, { quantity: 8 });
    const [shown, shownOther] = [await look(order.address), await look(other.address)];
    const answer = world.device.get(readOptions(shownOther));
    expect((await send(order.address, shown, answer)).text).toContain('The passkey signed something else than this.');
    const again = await look(other.address);
    const forged = await send(order.address, shown, world.device.get(readOptions(again)), false, again.digest);
    expect(forged.status).toBe(403);
    await world.attacked.composed.services.approvals.reject({ intentId: other.intentId, channel: 'page' });
    await expectNothingLeft(world.attacked);
  });

  test('none of it locks or delays anything: after all of them the right answer approves at once', async () => {
    const shown = await look(order.address);
    const reply = await send(order.address, shown, world.device.get(readOptions(shown), { counter: 1_000 }), true);
    expect(reply.status).toBe(303);
    await letItGoOn(world.attacked);
    expect(quantities(world.attacked)).toEqual([7]);
  });
});

test('the same answer approves once, and nothing else', async () => {
  const { attacked, device } = await attackWithPasskey({ enrolled: { limits: roomy } });
  const first = await waitingOrder(attacked, { quantity: 3 });
  const shown = await look(first.address);
  const answer = device.get(readOptions(shown));
  expect((await send(first.address, shown, answer, true)).status).toBe(303);
  await letItGoOn(attacked);
  const second = await waitingOrder(attacked, { quantity: 4 });
  const again = await send(second.address, await look(second.address), answer);
  expect(again.text).toContain('This response of the passkey was used already, or is too old.');
  await letItGoOn(attacked);
  expect(quantities(attacked)).toEqual([3]);
});

test('an answer that waited longer than any approval is too old', async () => {
  const { attacked, device } = await attackWithPasskey();
  const early = await waitingOrder(attacked, { quantity: 2 });
  const answer = device.get(readOptions(await look(early.address)));
  await attacked.clock.advance(421_000);
  const late = await waitingOrder(attacked, { quantity: 3 });
  const reply = await send(late.address, await look(late.address), answer);
  expect(reply.text).toContain('This response of the passkey was used already, or is too old.');
  await expectNothingLeft(attacked);
});

test.each([
  ['the same count', 5],
  ['a smaller count', 4],
  ['no count, after it had one', 0],
])('a passkey with %s is refused: it may be a copy', async (_, counter) => {
  const { attacked, device } = await attackWithPasskey({ enrolled: { limits: roomy } });
  const first = await waitingOrder(attacked, { quantity: 3 });
  const shown = await look(first.address);
  expect((await send(first.address, shown, device.get(readOptions(shown), { counter: 5 }), true)).status).toBe(303);
  await letItGoOn(attacked);
  const second = await waitingOrder(attacked, { quantity: 4 });
  const next = await look(second.address);
  const reply = await send(second.address, next, device.get(readOptions(next), { counter }));
  expect(reply.text).toContain('This passkey has counted fewer uses than before, so a copy of it may exist.');
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toHaveLength(1);
});

test('a passkey without a counter approves more than once', async () => {
  const { attacked, device } = await attackWithPasskey({ enrolled: { limits: roomy } });
  for (const quantity of [3, 4]) {
    const { address } = await waitingOrder(attacked, { quantity });
    const shown = await look(address);
    expect((await send(address, shown, device.get(readOptions(shown), { counter: 0 }), true)).status).toBe(303);
    await letItGoOn(attacked);
  }
  expect(quantities(attacked)).toEqual([3, 4]);
});

test('a passkey approves a draft: all of its orders and no other', async () => {
  const { attacked, device } = await attackWithPasskey();
  const waiting = await waitingDraft(attacked);
  const shown = await look(waiting.address);
  expect(shown.text).toContain('Approve and send all 2 orders');
  expect((await send(waiting.address, shown, device.get(readOptions(shown)), true)).status).toBe(303);
  expect(await carryOn(attacked, waiting)).toBe('done');
  expect(quantities(attacked)).toEqual([2, 3]);
});

test('on this machine the passphrase approves as before, and no passkey is asked for', async () => {
  const { attacked, port } = await attackWithPasskey();
  const { address } = await waitingOrder(attacked);
  const here = address.replace(/^http:\/\/localhost:/, 'http://127.0.0.1:');
  const shown = await look(here);
  expect([shown.text.includes('name="passphrase"'), shown.text.includes('name="passkey"')]).toEqual([true, false]);
  notePress(address, await look(address), {}, passphrase);
  expect((await press(here, { shown })).status).toBe(303);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toHaveLength(1);
  expect(port).toBeGreaterThan(0);
});

test('five wrong passphrases on this machine lock them alone: the passkey still approves', async () => {
  const { attacked, device } = await attackWithPasskey();
  const { address } = await waitingOrder(attacked);
  const here = address.replace(/^http:\/\/localhost:/, 'http://127.0.0.1:');
  for (let wrong = 1; wrong <= 5; wrong++) {
    await press(here, { fields: { passphrase: `wrong ${wrong}` } });
    await attacked.clock.advance(1_000 * 2 ** wrong);
  }
  expect((await press(here)).text).toContain('This page is locked');
  const shown = await look(address);
  expect(shown.text).toContain('5 wrong passphrases');
  expect((await send(address, shown, device.get(readOptions(shown)), true)).status).toBe(303);
  // It has unlocked nothing.
  const kept = await attacked.composed.journal.read((tx) => tx.get<{ lockedAt?: number }>('security'));
  expect(kept?.lockedAt).toBeTypeOf('number');
});

test('another passphrase ends the passkeys, and the same one keeps them', async () => {
  const { attacked } = await attackWithPasskey();
  const { security, journal } = attacked.composed;
  const names = async () => (await journal.read((tx) => readPasskeys(tx))).map(({ name }) => name);
  const again = { approval: 'page', limits: {} } as const;
  expect(await security.enrol({ passphrase, ...again })).toEqual({ clients: 0, passkeys: 0 });
  expect(await names()).toEqual(['phone']);
  const other = { passphrase: 'quite another passphrase', ...again };
  expect(await security.enrol(other)).toEqual({ clients: 0, passkeys: 1 });
  expect(await names()).toEqual([]);
  expect(await security.enrol({ ...other, passphrase })).toEqual({ clients: 0, passkeys: 0 });
});

test('the policy of the public page runs its two scripts and no other, and a status has no cookie of another site', async () => {
  const { attacked } = await attackWithPasskey();
  const { address } = await waitingOrder(attacked);
  const { headers, text } = await sendTo(address, {});
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}' 'sha256-[\w+/=]{44}'; form-action 'self'/);
  expect(text.match(/<script>/g)).toHaveLength(2);
  expect(headers['x-frame-options']).toBe('DENY');
});
