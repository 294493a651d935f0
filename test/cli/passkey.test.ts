/** The command for passkeys: what it adds after which answers of the owner, what it lists, and what it removes. */
// @module-tag server
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/composition-root.ts';
import { addAtTerminal } from '../../src/cli/passkey.ts';
import { addPasskey, numberOf, readAdding, readPasskeys } from '../../src/features/passkeys/kept-passkeys.ts';
import { loadForm, sendForm } from '../core/approval/page/support.ts';
import { runCommand } from '../support/command.ts';
import { findFreePort } from '../support/free-port.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createSoftwarePasskey, type PasskeyChange } from '../support/software-passkey.ts';
import { makeStateFolder } from '../support/state-folder.ts';
import { createTestConfig } from '../support/test-config.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const passphrase = 'four unrelated plain terms';

async function setUp({ isEnrolled = true, isPublic = true } = {}) {
  const [folder, port] = [await makeStateFolder('brokerage-mcp-passkey-'), await findFreePort()];
  const origin = `http://localhost:${port}`;
  const clock = createManualClock({ startAt: Date.parse('2026-11-24T10:00:00Z'), auto: true });
  const config = createTestConfig(folder, { approvalPage: isPublic ? { origin, port } : undefined });
  const composed = createApp(config, { clock });
  onTestFinished(() => composed.close());
  if (isEnrolled) await composed.security.enrol({ passphrase, approval: 'page', limits: {} });
  const device = createSoftwarePasskey(origin);
  const names = async () => (await composed.journal.read((tx) => readPasskeys(tx))).map(({ name }) => name);
  return { composed, origin, device, names, clock, folder };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** Opens the address, and sends what the device made. */
async function makeAt({ device, composed }: World, address: string, change: PasskeyChange = {}) {
  const { cookie, csrf, digest } = await loadForm(address);
  const challenge = (await composed.journal.read(readAdding))?.challenge ?? '';
  return sendForm(address, cookie, { action: 'enrol', csrf, digest, passkey: device.create(challenge, change) });
}

interface Owner {
  readonly typed?: readonly string[];
  readonly name?: string;
  /** While the command waits: what happens at the address. Returns false when the owner leaves. */
  readonly wait?: (address: string) => Promise<unknown>;
  readonly numbers?: readonly (string | undefined)[];
}

async function add(world: World, { typed = [passphrase], name = 'phone', wait, numbers }: Owner = {}) {
  const terminal = createTypedTty(typed);
  const left = [...(numbers ?? [numberOf(world.device)])];
  const tty = {
    ...terminal.tty,
    wait: async (ms: number) => {
      const address = terminal.lines.find((line) => line.startsWith(world.origin));
      // Between two passphrases.
      if (address === undefined) {
        await world.clock.advance(ms);
        return true;
      }
      return (await (wait ?? ((at: string) => makeAt(world, at)))(address)) !== false;
    },
    promptOrCancel: async () => left.shift(),
  };
  const isAdded = await addAtTerminal(tty, world.composed, name, world.origin, String);
  expect(await world.composed.journal.read(readAdding)).toBeUndefined();
  return { isAdded, lines: terminal.lines, said: terminal.lines.at(-1) };
}

test('the passphrase, the address and the number add a passkey, which no other way does', async () => {
  const world = await setUp();
  const { isAdded, lines } = await add(world);
  expect([isAdded, await world.names()]).toEqual([true, ['phone']]);
  expect(lines).toEqual([
    'Open this address on the device, within ten minutes, and add the passkey there:',
    expect.stringMatching(new RegExp(`^${world.origin}/approve/[\\w-]{32}$`)),
    `Added. “phone” approves orders and drafts on ${world.origin}; the passphrase no longer does there.`,
  ]);
  const [kept] = await world.composed.journal.read((tx) => readPasskeys(tx));
  expect(kept).toMatchObject({ id: world.device.id, publicKey: world.device.publicKey, origin: world.origin });
});

test.each<[why: string, owner: (world: World) => Owner, said: string]>([
  ['a wrong passphrase', () => ({ typed: ['wrong', 'wrong', 'wrong'] }), 'Wrong passphrase'],
  ['no passphrase', () => ({ typed: [''] }), 'Nothing was entered.'],
  ['three other numbers', () => ({ numbers: ['000000', '1', ''] }), 'The numbers differ, so nothing was added.'],
  ['an owner who types no number', () => ({ numbers: [undefined] }), 'The numbers differ, so nothing was added.'],
  ['an owner who leaves', () => ({ wait: async () => false }), 'Nothing was added.'],
  ['ten minutes without a device', ({ clock }) => ({ wait: () => clock.advance(600_001) }), 'Nothing was added.'],
  [
    'another passphrase in the meantime',
    (world) => ({
      wait: async (address) => {
        await makeAt(world, address);
        await world.clock.advance(1);
        await world.composed.security.enrol({ passphrase: 'quite other plain terms', approval: 'page', limits: {} });
      },
    }),
    'The enrolment or the passkeys changed in the meantime, so nothing was added. Start again.',
  ],
])('%s adds nothing', async (_, owner, said) => {
  const world = await setUp();
  const added = await add(world, owner(world));
  expect([added.isAdded, await world.names()]).toEqual([false, []]);
  expect(added.lines.some((line) => line.startsWith(said))).toBe(true);
});

test('without an enrolment, and without a public page, nothing is asked', async () => {
  const missing = await setUp({ isEnrolled: false });
  expect((await add(missing)).lines).toEqual(['No passphrase is enrolled; run brokerage-mcp enroll first.']);
  const local = await setUp({ isPublic: false });
  expect((await add(local)).said).toMatch(/^The page is not served at http:\/\/localhost:\d+: /);
});

test('a name is used once, and one device makes one passkey', async () => {
  const world = await setUp();
  await add(world);
  expect((await add(world)).said).toBe('There is a passkey “phone” already; choose another name, or remove it first.');
  expect((await add(world, { name: 'tablet' })).said).toMatch(/^The enrolment or the passkeys changed/);
  expect(await world.names()).toEqual(['phone']);
});

test.each<[what: string, change: PasskeyChange, title: string]>([
  ['of another page', { origin: 'https://evil.example' }, 'The passkey was used on another page.'],
  ['over another challenge', { challenge: 'A'.repeat(43) }, 'The passkey signed something else than this.'],
  ['for another name', { rpId: 'evil.example' }, 'The passkey is for another name.'],
  ['without a check of the user', { flags: 0x41 }, 'The device did not check that it is you.'],
  ['that approves', { type: 'webauthn.get' }, 'The response of the passkey cannot be read.'],
])('a passkey %s is not made, and the right one still can be', async (_, change, title) => {
  const world = await setUp();
  const replies: Awaited<ReturnType<typeof makeAt>>[] = [];
  const { isAdded } = await add(world, {
    wait: async (address) => replies.push(await makeAt(world, address, replies.length === 0 ? change : {})),
  });
  expect(replies.map(({ status }) => status)).toEqual([403, 303]);
  expect(replies[0]?.text).toContain(title);
  expect(isAdded).toBe(true);
});

test('the address makes one passkey: a second device is not taken, and sees the number of the first', async () => {
  const world = await setUp();
  const second = { ...world, device: createSoftwarePasskey(world.origin) };
  let seen = '';
  await add(world, {
    wait: async (address) => {
      const early = await loadForm(address);
      await makeAt(world, address);
      const challenge = (await world.composed.journal.read(readAdding))?.challenge ?? '';
      const fields = { action: 'enrol', csrf: early.csrf, digest: early.digest };
      await sendForm(address, early.cookie, { ...fields, passkey: second.device.create(challenge) });
      seen = (await loadForm(address)).text;
    },
  });
  const [kept] = await world.composed.journal.read((tx) => readPasskeys(tx));
  expect(kept?.id).toBe(world.device.id);
  expect(seen).toContain(numberOf(world.device));
  expect(seen).not.toContain('<form');
});

test('the list has each passkey, and a removed one is gone', async () => {
  const { composed, folder } = await setUp();
  const enrolledAt = (await composed.security.enrolment())?.enrolledAt ?? 0;
  const origin = 'https://approve.example.com';
  const at = Date.parse('2026-11-24T10:00:00Z');
  const common = { publicKey: 'AA', counter: 0, origin, createdAt: at };
  await composed.journal.change((tx) => addPasskey(tx, { ...common, id: 'A', name: 'phone' }, enrolledAt));
  await composed.journal.change((tx) => addPasskey(tx, { ...common, id: 'B', name: 'old tablet' }, enrolledAt));
  await composed.close();
  const run = (...argv: string[]) => runCommand(['passkey', ...argv], { HOME: folder, BROKER_STATE_DIR: folder });
  const addedAt = '2026-11-24T10:00:00.000Z';
  expect(JSON.parse((await run('--json')).stdout)).toEqual({
    passkeys: [
      { name: 'phone', origin, addedAt, usedAt: null },
      { name: 'old tablet', origin, addedAt, usedAt: null },
    ],
  });
  const listed = (await run()).stdout;
  expect(listed).toMatch(/phone +https:\/\/approve\.example\.com .*never/);
  expect((await run('remove', 'old', 'tablet')).stdout).toBe('“old tablet” approves nothing any more.\n');
  expect(JSON.parse((await run('list', '--json')).stdout).passkeys).toHaveLength(1);
  expect(await run('remove', 'old tablet')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no passkey "old tablet"; brokerage-mcp passkey lists them.'),
  });
});

test.each([
  [['add'], 'passkey add needs a name for the device, such as: passkey add phone'],
  [['add', 'phone'], 'set BROKER_APPROVAL_PUBLIC_URL and BROKER_APPROVAL_PORT (docs/web.md).'],
  [['forget'], 'passkey forget does not exist'],
])('passkey %j says what is missing', async (argv, line) => {
  const { folder } = await setUp();
  const { code, stderr } = await runCommand(['passkey', ...argv], { HOME: folder, BROKER_STATE_DIR: folder });
  expect([code, stderr.includes(line)]).toEqual([2, true]);
});
