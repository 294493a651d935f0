/** The enrolled passphrase: what is stored of it, what each attempt changes, and what the owner and the audit trail are told. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createSecurity,
  readEnrolment,
  readWrongPassphrases,
  unlock,
} from '../../../../src/core/approval/enrollment/enrollment.ts';
import { isLiveKey, isLiveOrigin } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import type { Engine } from '../../../../src/core/store/engine.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
const passphrase = 'grüne Äpfel fallen leise';

/**
 * Python's `hashlib.scrypt(sha256(passphrase in NFKC), salt=…, n=16, r=8, p=1, dklen=32)`. A real enrolment has a larger
 * n, which takes a tenth of a second.
 */
const enrolled = {
  approval: 'page',
  limits: { maxOrderValue: '500' },
  enrolledAt: startAt - 1_000,
  origin: 'https://live.example',
  salt: '000102030405060708090a0b0c0d0e0f',
  hash: '75ff12a5e7f7c4c8b9f83a9b313d50977dcf07624291cdffe91d0272c827acf6',
  cost: 16,
  failures: 0,
  lastFailureAt: 0,
};

let engine: Engine;
let journal: Journal;
let clock: ManualClock;

beforeEach(async () => {
  engine = await createMemoryEngine();
  clock = createManualClock({ startAt });
  journal = createJournal(engine, clock) as unknown as Journal;
});

const store = (record: object | undefined) => journal.change((tx) => tx.set('security', record));
const stored = () => journal.read((tx) => tx.get<Record<string, unknown>>('security'));
const shown = () => journal.read(readWrongPassphrases);
const check = (text: string, channel: 'page' | 'terminal' = 'page', seen?: number) =>
  createSecurity(journal, clock).check(text, channel, seen);
const audit = async () => {
  const rows = await engine.read((db) =>
    db.all<{ environment: string; kind: string; data: string }>('SELECT * FROM audit ORDER BY seq'),
  );
  return rows.map(({ environment, kind, data }) => ({ environment, kind, data: JSON.parse(data) }));
};

describe('a passphrase', () => {
  test.each([
    ['the enrolled one', passphrase, 'right'],
    ['the enrolled one in another normal form', passphrase.normalize('NFD'), 'right'],
    ['the enrolled one and a zero byte', `${passphrase}\u0000`, 'wrong_passphrase'],
    ['another one', 'grüne Äpfel fallen laut', 'wrong_passphrase'],
    ['empty', '', 'wrong_passphrase'],
  ])('that is %s is checked against the stored hash', async (_, text, kind) => {
    await store(enrolled);
    expect((await check(text)).kind).toBe(kind);
  });

  test('is not checked where nothing is enrolled, and nothing is counted', async () => {
    expect(await check(passphrase)).toEqual({ kind: 'not_enrolled' });
    expect([await stored(), await shown(), await audit()]).toEqual([undefined, undefined, []]);
  });

  test.each<[string, object | undefined]>([
    ['replaced', { ...enrolled, hash: '00'.repeat(32) }],
    ['removed', undefined],
  ])('whose enrolment is %s while it is checked is not accepted, and changes nothing', async (_, record) => {
    await store(enrolled);
    const checked = check(passphrase);
    await store(record);
    expect(await checked).toEqual({ kind: 'not_enrolled' });
    expect(await stored()).toEqual(record);
  });
});

describe('an attempt', () => {
  test('that is wrong says what is left and how long to wait, and the audit trail keeps it', async () => {
    await store(enrolled);
    expect(await check('wrong')).toEqual({ kind: 'wrong_passphrase', attemptsLeft: 4, retryAfterSeconds: 2 });
    expect(await audit()).toEqual([
      { environment: 'all', kind: 'wrong_passphrase', data: { channel: 'page', failures: 1, locked: false } },
    ]);
  });

  test('waits until the delay is over, to the millisecond, and is not counted before', async () => {
    await store({ ...enrolled, failures: 2, lastFailureAt: startAt });
    await clock.advance(2_999);
    expect(await check(passphrase)).toEqual({ kind: 'too_soon', retryAfterSeconds: 2 });
    await clock.advance(1_000);
    expect(await check(passphrase)).toEqual({ kind: 'too_soon', retryAfterSeconds: 1 });
    expect(await stored()).toMatchObject({ failures: 2 });
    await clock.advance(1);
    expect(await check(passphrase)).toEqual({ kind: 'right' });
    expect(await stored()).toMatchObject({ failures: 0, lastFailureAt: 0 });
  });

  test('that is the fifth wrong one locks the page, where the right one then is refused; the terminal still checks', async () => {
    await store({ ...enrolled, failures: 4 });
    expect(await check('wrong')).toEqual({ kind: 'locked' });
    expect(await audit()).toMatchObject([{ data: { channel: 'page', failures: 5, locked: true } }]);
    const locked = await stored();
    for (const text of ['wrong', passphrase]) expect(await check(text)).toEqual({ kind: 'locked' });
    await clock.advance(64_000);
    for (const text of ['wrong', passphrase]) expect(await check(text)).toEqual({ kind: 'locked' });
    expect([await stored(), (await audit()).length]).toEqual([locked, 1]);
    expect(await check('wrong', 'terminal')).toEqual({
      kind: 'wrong_passphrase',
      attemptsLeft: undefined,
      retryAfterSeconds: 2,
    });
    expect((await audit()).at(-1)?.data).toEqual({ channel: 'terminal', failures: 1, locked: false });
    await clock.advance(2_000);
    expect(await check(passphrase, 'terminal')).toEqual({ kind: 'right' });
    expect(await check(passphrase)).toEqual({ kind: 'right' });
  });

  test('in the terminal waits longer after each wrong one, locks nothing, and does not slow the page', async () => {
    await store(enrolled);
    for (const retryAfterSeconds of [2, 4, 8, 16, 32, 64, 64, 64]) {
      const wrong = { kind: 'wrong_passphrase', attemptsLeft: undefined, retryAfterSeconds };
      expect(await check('wrong', 'terminal')).toEqual(wrong);
      expect(await check(passphrase, 'terminal')).toEqual({ kind: 'too_soon', retryAfterSeconds });
      await clock.advance(retryAfterSeconds * 1_000);
    }
    await check('wrong', 'terminal');
    expect(await check(passphrase)).toEqual({ kind: 'right' });
    await clock.advance(64_000);
    expect(await check(passphrase, 'terminal')).toEqual({ kind: 'right' });
  });

  test('that is right does not pass where another one has locked the page since', async () => {
    await store(enrolled);
    const checked = check(passphrase);
    await journal.change(async (tx) => tx.set('security', { ...(await tx.get<object>('security')), lockedAt: 1 }));
    expect(await checked).toEqual({ kind: 'locked' });
  });

  test('that is right does not pass where a later one was the fifth wrong one, and locked the page', async () => {
    await store({ ...enrolled, failures: 3 });
    const checked = check(passphrase);
    const at = startAt + 1;
    const locked = { failures: 5, lastFailureAt: at, lockedAt: at };
    await journal.change(async (tx) => tx.set('security', { ...(await tx.get<object>('security')), ...locked }));
    expect(await checked).toEqual({ kind: 'locked' });
    expect(await stored()).toMatchObject({ lockedAt: at });
  });

  test('that is right passes where it would have been the fifth wrong one', async () => {
    await store({ ...enrolled, failures: 4 });
    expect(await check(passphrase)).toEqual({ kind: 'right' });
    expect(await shown()).toBeUndefined();
  });

  test.each([
    [{ failures: 3 }, { kind: 'wrong_passphrase', attemptsLeft: 2, retryAfterSeconds: 8 }, 3, false],
    [{ failures: 5, lockedAt: startAt }, { kind: 'locked' }, 5, true],
  ])(
    'that is wrong counts with those that failed while it was checked: %j',
    async (since, result, failures, locked) => {
      await store(enrolled);
      const checked = check('wrong');
      await journal.change(async (tx) => tx.set('security', { ...(await tx.get<object>('security')), ...since }));
      expect(await checked).toEqual(result);
      expect(await audit()).toMatchObject([{ data: { channel: 'page', failures, locked } }]);
    },
  );

  test('that is right removes from the count what the owner was shown: nothing, unless told', async () => {
    await store({ ...enrolled, wrong: { count: 3, lastAt: 7 } });
    await check(passphrase);
    expect(await shown()).toEqual({ count: 3, lastAt: 7, locked: [] });
    await check(passphrase, 'page', 2);
    expect(await shown()).toEqual({ count: 1, lastAt: 7, locked: [] });
  });

  test('is not shown to the owner as wrong while it is checked', async () => {
    await store(enrolled);
    const checked = [check('wrong'), check('wrong', 'terminal')];
    expect(await shown()).toBeUndefined();
    await Promise.all(checked);
    expect(await shown()).toEqual({ count: 2, lastAt: startAt, locked: [] });
  });
});

describe('an unlock', () => {
  test('removes locks and delays, and what the owner has not seen stays', async () => {
    const wrong = { count: 5, lastAt: 7 };
    const failed = { failures: 5, lastFailureAt: startAt };
    await store({ ...enrolled, ...failed, lockedAt: startAt, terminal: failed, wrong });
    await journal.change(unlock);
    expect(await stored()).toEqual({ ...enrolled, wrong });
  });

  test('of a store without an enrolment does nothing', async () => {
    await journal.change(unlock);
    expect(await stored()).toBeUndefined();
  });
});

describe('an enrolment', () => {
  const service = { origin: 'https://new.example', keyHash: 'k1' };
  const what = { passphrase, approval: 'terminal', limits: { maxOrderValue: '9' } } as const;

  test('in live is read back with its address, which is recorded as live, and keeps no text of the passphrase', async () => {
    await createSecurity(journal, clock, () => service).enrol(what);
    const isRead = {
      approval: 'terminal',
      limits: { maxOrderValue: '9' },
      enrolledAt: startAt,
      origin: service.origin,
    };
    expect(await createSecurity(journal, clock).enrolment()).toMatchObject(isRead);
    expect(await journal.read((tx) => isLiveOrigin(tx, service.origin))).toBe(true);
    expect(await journal.read((tx) => isLiveKey(tx, 'k1'))).toBe(true);
    expect(await audit()).toEqual([
      { environment: 'all', kind: 'enrol', data: { approval: 'terminal', limits: { maxOrderValue: '9' } } },
    ]);
    expect(await stored()).toMatchObject({
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await check(passphrase)).toEqual({ kind: 'right' });
  });

  test('outside of live has no address of its own, and keeps the one before', async () => {
    await createSecurity(journal, clock).enrol(what);
    expect((await journal.read(readEnrolment))?.origin).toBeUndefined();
    await store(enrolled);
    await createSecurity(journal, clock).enrol(what);
    expect((await journal.read(readEnrolment))?.origin).toBe('https://live.example');
    expect(await journal.read((tx) => isLiveOrigin(tx, 'https://live.example'))).toBe(false);
  });

  test('in live replaces the address of the one before', async () => {
    await store(enrolled);
    await createSecurity(journal, clock, () => service).enrol(what);
    expect((await journal.read(readEnrolment))?.origin).toBe(service.origin);
    expect(await journal.read((tx) => isLiveOrigin(tx, service.origin))).toBe(true);
  });

  test.each([
    ['the same passphrase', passphrase, undefined],
    ['another one', 'quite other plain terms', 2],
  ])('with %s leaves in the audit trail how many passkeys it ended', async (_, next, passkeysEnded) => {
    await createSecurity(journal, clock).enrol(what);
    await store({ ...(await stored()), passkeys: [{}, {}] } as never);
    const ended = await createSecurity(journal, clock).enrol({ ...what, passphrase: next });
    expect(ended).toEqual({ clients: 0, passkeys: passkeysEnded ?? 0 });
    const { approval, limits } = what;
    expect((await audit()).at(-1)).toEqual({
      environment: 'all',
      kind: 'enrol',
      data: { approval, limits, ...(passkeysEnded && { passkeysEnded }) },
    });
  });

  test('removes the locks of the one before, and the wrong passphrases that the owner has not seen stay', async () => {
    const wrong = { count: 2, lastAt: 7 };
    await store({ ...enrolled, failures: 5, lastFailureAt: startAt, lockedAt: startAt, wrong });
    await createSecurity(journal, clock).enrol(what);
    expect(await shown()).toEqual({ ...wrong, locked: [] });
    expect(await stored()).toMatchObject({ failures: 0, lastFailureAt: 0 });
  });
});
