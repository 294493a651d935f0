/** A passkey in a real browser: it is made at an address of the terminal, approves an order and a draft, and is refused otherwise. */
// @module-tag process
// @module-tag slow
import type { Browser, CDPSession, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { addAtTerminal } from '../../../src/cli/passkey.ts';
import { readPasskeys } from '../../../src/features/passkeys/kept-passkeys.ts';
import { browserTests } from '../../core/approval/page/chromium.ts';
import { carryOn, quantities, waitingDraft } from '../../security/draft-support.ts';
import { look } from '../../security/page.ts';
import { notePress } from '../../security/recording.ts';
import {
  type Attack,
  attack,
  expectNothingLeft,
  letItGoOn,
  passphrase,
  roomy,
  waitingOrder,
} from '../../security/support.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createTypedTty } from '../../support/typed-tty.ts';

let browser: Browser;
const inBrowser = browserTests((launched) => {
  browser = launched;
});

const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

interface Phone {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** A browser of its own, with an authenticator that knows who uses it. */
async function openPhone(): Promise<Phone> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4/.test(message.text())) complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: authenticator });
  return { page, cdp, authenticatorId };
}

/** The owner at the terminal and with the phone: types the passphrase, opens the address, and types its number. */
async function addPhone(
  attacked: Attack,
  origin: string,
  phone: Phone,
  name = 'phone',
  readNumber = (text: string) => text,
) {
  const terminal = createTypedTty([passphrase]);
  let number = '';
  const tty = {
    ...terminal.tty,
    wait: async () => {
      if (number !== '') return true;
      const address = terminal.lines.find((line) => line.startsWith(`${origin}/approve/`)) ?? '';
      await phone.page.goto(address);
      await phone.page.getByRole('button', { name: 'Add this device' }).click();
      number = await phone.page.locator('.code').innerText();
      return true;
    },
    promptOrCancel: async () => readNumber(number),
  };
  const isAdded = await addAtTerminal(tty, attacked.composed, name, origin, String);
  return { isAdded, number, lines: terminal.lines };
}

async function setUp() {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const attacked = await attack({ enrolled: { limits: roomy }, config: { approvalPage: { origin, port } } });
  const phone = await openPhone();
  const added = await addPhone(attacked, origin, phone);
  return { attacked, phone, origin, ...added };
}

/** Opens the address on the phone and presses the button, as the owner does. */
async function pressApprove({ page }: Phone, address: string, isRight = true) {
  await page.goto(address);
  if (isRight) notePress(address, await look(address), {}, passphrase);
  await page.getByRole('button', { name: /^Approve and / }).click();
}

const credentialOf = async ({ cdp, authenticatorId }: Phone) => {
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  const [credential] = credentials;
  if (!credential) throw new Error('The phone has no passkey.');
  return credential;
};

inBrowser('a passkey that was added at the terminal approves an order, and then another', async () => {
  const { attacked, phone, origin, isAdded, number, lines } = await setUp();
  expect([isAdded, /^\d{6}$/.test(number)]).toEqual([true, true]);
  expect(lines.at(-1)).toBe(
    `Added. “phone” approves orders and drafts on ${origin}; the passphrase no longer does there.`,
  );
  for (const quantity of [3, 4]) {
    const { address } = await waitingOrder(attacked, { quantity });
    await pressApprove(phone, address);
    await phone.page.getByRole('heading', { name: /^(Approved|Being sent|Placed)$/ }).waitFor();
    await letItGoOn(attacked);
  }
  expect(quantities(attacked)).toEqual([3, 4]);
  const [kept] = await attacked.composed.journal.read((tx) => readPasskeys(tx));
  expect(kept?.counter).toBe((await credentialOf(phone)).signCount);
  expect(kept?.usedAt).toBeTypeOf('number');
});

inBrowser('a passkey approves all orders of a draft', async () => {
  const { attacked, phone } = await setUp();
  const waiting = await waitingDraft(attacked);
  await pressApprove(phone, waiting.address);
  await phone.page.getByRole('heading', { name: /^(Being sent|All orders placed)$/ }).waitFor();
  expect(await carryOn(attacked, waiting)).toBe('done');
  expect(quantities(attacked)).toEqual([2, 3]);
});

inBrowser('a device that does not check who uses it approves nothing, and the page says so', async () => {
  const { attacked, phone } = await setUp();
  const { address } = await waitingOrder(attacked);
  await phone.cdp.send('WebAuthn.setUserVerified', { authenticatorId: phone.authenticatorId, isUserVerified: false });
  await pressApprove(phone, address, false);
  await phone.page.getByText('No passkey was used, so nothing was sent.').waitFor();
  await expectNothingLeft(attacked);
  // Positive control: the same page approves when it does.
  await phone.cdp.send('WebAuthn.setUserVerified', { authenticatorId: phone.authenticatorId, isUserVerified: true });
  await pressApprove(phone, address);
  await phone.page.getByRole('heading', { name: /^(Approved|Being sent|Placed)$/ }).waitFor();
});

inBrowser('a copy that counts from before is refused', async () => {
  const { attacked, phone } = await setUp();
  const first = await waitingOrder(attacked, { quantity: 3 });
  await pressApprove(phone, first.address);
  await phone.page.getByRole('heading', { name: /^(Approved|Being sent|Placed)$/ }).waitFor();
  await letItGoOn(attacked);
  const credential = await credentialOf(phone);
  const { authenticatorId } = phone;
  await phone.cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
  await phone.cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
  const second = await waitingOrder(attacked, { quantity: 4 });
  await pressApprove(phone, second.address, false);
  await phone.page.getByText('This passkey has counted fewer uses than before').waitFor();
  await letItGoOn(attacked);
  expect(quantities(attacked)).toEqual([3]);
});

inBrowser('a passkey with the same id and another key is refused', async () => {
  const { attacked, phone, origin } = await setUp();
  const other = await openPhone();
  await other.page.goto(`${origin}/approve/none`);
  const { privateKey } = await makeAnywhere(other);
  const { authenticatorId } = phone;
  const credential = await credentialOf(phone);
  await phone.cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
  await phone.cdp.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential, privateKey, signCount: 100 },
  });
  const { address } = await waitingOrder(attacked);
  await pressApprove(phone, address, false);
  await phone.page.getByText('The signature of the passkey is wrong.').waitFor();
  await expectNothingLeft(attacked);
});

/** A passkey for the same name that a page of somebody else made. */
async function makeAnywhere(phone: Phone) {
  await phone.page.evaluate(`navigator.credentials.create({ publicKey: {
    challenge: new Uint8Array(32), rp: { name: 'x' }, user: { id: new Uint8Array(16), name: 'x', displayName: 'x' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }], authenticatorSelection: { userVerification: 'required' } } }).then(() => 0)`);
  return credentialOf(phone);
}

inBrowser('an answer that was sent before approves nothing', async () => {
  const { attacked, phone } = await setUp();
  const { address } = await waitingOrder(attacked, { quantity: 3 });
  let sent = '';
  phone.page.on('request', (request) => {
    if (request.method() === 'POST') sent = request.postData() ?? '';
  });
  await pressApprove(phone, address);
  await phone.page.getByRole('heading', { name: /^(Approved|Being sent|Placed)$/ }).waitFor();
  await letItGoOn(attacked);
  const second = await waitingOrder(attacked, { quantity: 4 });
  await phone.page.goto(second.address);
  const old = new URLSearchParams(sent).get('passkey') ?? '';
  expect(old).toContain('signature');
  // The field is filled in, so the script sends it and asks no device.
  await phone.page.locator('#passkey').evaluate((field, text) => {
    (field as unknown as { value: string }).value = text;
  }, old);
  await phone.page.getByRole('button', { name: /^Approve and / }).click();
  await phone.page.getByText('This response of the passkey was used already, or is too old.').waitFor();
  await letItGoOn(attacked);
  expect(quantities(attacked)).toEqual([3]);
});

inBrowser('under the number of this machine the page takes the passphrase', async () => {
  const { attacked, phone } = await setUp();
  const { address } = await waitingOrder(attacked);
  await phone.page.goto(address.replace('localhost', '127.0.0.1'));
  expect(await phone.page.getByLabel('Passphrase').count()).toBe(1);
  expect(await phone.page.locator('#passkey').count()).toBe(0);
});

inBrowser('a passkey whose number the owner does not see on the phone approves nothing', async () => {
  const { attacked, phone, origin } = await setUp();
  const stranger = await openPhone();
  const { isAdded, number, lines } = await addPhone(attacked, origin, stranger, 'other', () => '000000');
  expect([isAdded, number === '000000', lines.at(-1)]).toEqual([
    false,
    false,
    'The numbers differ, so nothing was added.',
  ]);
  const { address } = await waitingOrder(attacked);
  await pressApprove(stranger, address, false);
  await stranger.page.getByText('No passkey was used, so nothing was sent.').waitFor();
  await expectNothingLeft(attacked);
  await pressApprove(phone, address);
  await phone.page.getByRole('heading', { name: /^(Approved|Being sent|Placed)$/ }).waitFor();
});
