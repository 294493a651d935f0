/** Writes that are not orders: recorded before they are sent, sent once, and searched for when the response is lost. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TradingSettings } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import { endpoints } from '../../../../src/core/endpoints/index.ts';
import { setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Journal, WriteIntent } from '../../../../src/core/orders/intent/journal-port.ts';
import {
  createWriteJournal,
  type RecoveryLookup,
  type WriteRequest,
} from '../../../../src/core/orders/write-journal.ts';
import { errorOf } from '../../../support/error-of.ts';
import { createStepClock } from '../../../support/step-clock.ts';
import { context, failure, key, openJournal, rejectWith, startAt } from './world.ts';

const id = 'createPie';
const body = { name: 'Once' };

async function open() {
  const clock = createStepClock(startAt);
  const journal = await openJournal(clock);
  const settings = { environment: 'sandbox', haltFile: () => false } as unknown as TradingSettings;
  const processes = { self: 'test', isAlive: () => true };
  const deps = { journal, clock, processes, settings, accountKey: async () => key };
  const sends: (WriteIntent | undefined)[] = [];
  const list = (since = 0): Promise<readonly WriteIntent[]> =>
    journal.read((tx) => tx.listWrites({ createdSince: since }));
  const request = (change: Partial<WriteRequest> = {}): WriteRequest => ({
    endpoint: endpoints.createPie,
    request: { body },
    context,
    whenUnknown: 'Look for it.',
    changesAccount: true,
    ...change,
    send: async () => {
      sends.push((await list())[0]);
      await clock.advance(300);
      return (change.send ?? (async () => ({ data: { id: 5 }, answeredAt: startAt + 200 })))();
    },
  });
  const run = (change: Partial<WriteRequest> = {}, others: { journal?: Journal } = {}) =>
    createWriteJournal({ ...deps, ...others }).run(request(change));
  return { clock, journal, deps, sends, list, run };
}

const fingerprint = (account: string, endpoint: string, of: { id?: string; body?: object }) =>
  createHash('sha256')
    .update(JSON.stringify(['sandbox', account, endpoint, of.id ?? '', of.body ?? '']))
    .digest('hex');

/** A row as an earlier call left it. */
const row = (change: Partial<WriteIntent> & { readonly id: string }): WriteIntent => ({
  kind: 'write',
  state: 'UNKNOWN',
  environment: 'sandbox',
  accountKey: key,
  fingerprint: fingerprint(key, id, { body }),
  endpoint: id,
  createdAt: startAt - 1_000,
  changedAt: startAt - 400,
  sender: 'other',
  ...change,
});

/** Finds one object, or none. */
const search = (ids: readonly string[], asked: unknown[] = [], listed: unknown[] = []): RecoveryLookup => ({
  ids: async (...what) => {
    listed.push(what);
    return ids;
  },
  isIt: async (one, sentAt, { notBefore }) => {
    asked.push([one, sentAt, notBefore]);
    return true;
  },
  result: (one) => ({ id: one }),
});

describe('a write that is carried out', () => {
  test('is recorded before it is sent, and again with its end', async () => {
    const { run, sends, list } = await open();
    const outcome = await run();
    const before = {
      id: outcome.intentId,
      kind: 'write',
      state: 'SENDING',
      environment: 'sandbox',
      accountKey: key,
      fingerprint: fingerprint(key, id, { body }),
      endpoint: id,
      createdAt: startAt,
      changedAt: startAt,
      sender: 'test',
    };
    expect(outcome).toEqual({
      outcome: 'done',
      intentId: expect.stringMatching(/^[0-9a-f]{32}$/),
      answeredAt: startAt + 200,
      message: 'The broker carried out the request.',
      result: { id: 5 },
    });
    expect(sends).toEqual([before]);
    expect(await list()).toEqual([{ ...before, state: 'DONE', changedAt: startAt + 300 }]);
  });

  test('has the result null when the service returns nothing', async () => {
    const { run } = await open();
    expect(await run({ send: async () => ({ data: undefined, answeredAt: startAt }) })).toMatchObject({ result: null });
  });

  test.each([
    ['the id in the path', { request: { id: '5' } }, { id: '5' }],
    ['neither id nor body', { request: {} }, {}],
  ])('is identified by account, endpoint, and %s', async (_, change, of) => {
    const { run, list } = await open();
    await run(change);
    expect((await list()).map((write) => write.fingerprint)).toEqual([fingerprint(key, id, of)]);
  });

  test('counts although its end could not be recorded', async () => {
    const { run, journal } = await open();
    const writes = [journal.change, rejectWith(failure('store_unavailable'))];
    const failing: Journal = { ...journal, change: (work) => (writes.shift() as Journal['change'])(work) };
    expect(await run({}, { journal: failing })).toMatchObject({ outcome: 'done' });
    expect(writes).toEqual([]);
  });
});

describe('while trading is halted', () => {
  const halt = (journal: Journal) =>
    journal.change((tx) => setHalt(tx, { at: startAt, by: 'command', reason: 'Stop.' }));

  test('a write that changes the account is refused, and nothing is recorded or sent', async () => {
    const { run, journal, sends, list } = await open();
    await halt(journal);
    const { reason, ...outcome } = await run();
    expect(outcome).toEqual({
      outcome: 'refused',
      rule: 'halted',
      intentId: expect.any(String),
      message: 'This server refused the request; nothing was sent.',
      next: 'Tell the user which rule refused it.',
    });
    expect([sends, await list()]).toEqual([[], []]);
  });

  test('a write that changes nothing in the account passes', async () => {
    const { run, journal } = await open();
    await halt(journal);
    expect(await run({ changesAccount: false })).toMatchObject({ outcome: 'done' });
  });
});

describe('a write that the broker refuses', () => {
  test.each(['rejected', 'not_found', 'forbidden'] as const)('as %s has an outcome', async (code) => {
    const { run, list } = await open();
    const error = failure(code, { brokerCode: 'code' });
    expect(await run({ send: rejectWith(error) })).toEqual({
      outcome: 'rejected',
      intentId: expect.any(String),
      message: error.message,
      next: error.next,
      brokerCode: 'code',
    });
    expect(await list()).toMatchObject([{ state: 'REJECTED', reason: error.message, wasKeptBack: false }]);
  });

  test.each([
    ['rate_limited', true],
    ['blocked', true],
    ['unreachable', true],
    ['cancelled', true],
    ['not_configured', true],
    ['unauthorized', false],
  ] as const)('as %s throws the error, and the row says whether it was kept back: %s', async (code, wasKeptBack) => {
    const { run, list } = await open();
    const error = failure(code);
    await expect(run({ send: rejectWith(error) })).rejects.toBe(error);
    expect(await list()).toMatchObject([{ state: 'REJECTED', reason: error.message, wasKeptBack }]);
  });

  test('is still being sent after a fault of the program', async () => {
    const { run, list } = await open();
    const error = Object.assign(new TypeError('x'), { code: 'rejected', facts: {} });
    await expect(run({ send: rejectWith(error) })).rejects.toBe(error);
    expect(await list()).toMatchObject([{ state: 'SENDING' }]);
  });
});

describe('a write whose response is lost', () => {
  const lost = [
    ['in the network', failure('timeout', { mayHaveHappened: true })],
    ['by a failure of the service', failure('upstream_error')],
    ['as it cannot be read', failure('unexpected_answer')],
  ] as const;

  test.each(lost)('%s is unknown without a search', async (_, error) => {
    const { run, list } = await open();
    expect(await run({ send: rejectWith(error) })).toEqual({
      outcome: 'unknown',
      intentId: expect.any(String),
      message: 'The response was lost; the request may have been carried out.',
      next: 'Look for it.',
    });
    expect(await list()).toMatchObject([{ state: 'UNKNOWN', reason: error.message, changedAt: startAt + 300 }]);
  });

  test('is unknown when the search finds nothing', async () => {
    const { run, list } = await open();
    const outcome = await run({ send: rejectWith(lost[0][1]), lookUp: search([]) });
    expect(outcome).toMatchObject({ outcome: 'unknown', next: 'Look for it.' });
    expect(await list()).toMatchObject([{ state: 'UNKNOWN' }]);
  });

  test('is done when the search finds its result', async () => {
    const { run, list } = await open();
    const [asked, listed]: [unknown[], unknown[]] = [[], []];
    expect(await run({ send: rejectWith(lost[0][1]), lookUp: search(['9'], asked, listed) })).toEqual({
      outcome: 'done',
      intentId: expect.any(String),
      message: 'The broker carried out the request; a search found the result.',
      result: { id: '9' },
    });
    expect(listed).toEqual([[{ ...context, notBefore: startAt + 300 }]]);
    expect(asked).toEqual([['9', startAt, startAt + 300]]);
    expect(await list()).toMatchObject([{ state: 'DONE' }]);
  });
});

describe('an equal create', () => {
  const again = async (before: WriteIntent, ids: readonly string[], change: Partial<WriteRequest> = {}) => {
    const made = await open();
    await made.journal.change((tx) => tx.insertWrite(before));
    const asked: unknown[] = [];
    const outcome = await made.run({ lookUp: search(ids, asked), ...change });
    return { ...made, outcome, asked };
  };

  test.each(['UNKNOWN', 'SENDING'] as const)('of a write in %s is not sent, and searched for', async (state) => {
    const { outcome, sends, list, asked } = await again(row({ id: 'w', state }), []);
    expect(outcome).toMatchObject({ outcome: 'unknown', intentId: 'w', coalesced: true });
    expect(outcome.message).toContain('not sent again');
    expect([sends, asked]).toEqual([[], []]);
    expect(await list()).toEqual([row({ id: 'w', state })]);
  });

  test('of a write that the search finds returns its result', async () => {
    const { outcome, sends, list, asked } = await again(row({ id: 'w' }), ['9']);
    expect(outcome).toMatchObject({ outcome: 'done', intentId: 'w', coalesced: true, result: { id: '9' } });
    expect([sends, asked]).toEqual([[], [['9', startAt - 1_000, startAt]]]);
    expect(await list()).toMatchObject([{ id: 'w', state: 'DONE', changedAt: startAt }]);
  });

  test.each<[string, Partial<WriteIntent>, Partial<WriteRequest>]>([
    ['of a write that was carried out', { state: 'DONE' }, {}],
    ['of a write that was rejected', { state: 'REJECTED' }, {}],
    ['of a write of ten minutes ago', { createdAt: startAt - 600_000 }, {}],
    ['of a write that a clock stored ten minutes ahead', { createdAt: startAt + 600_000 }, {}],
    ['of a write of another account', { fingerprint: fingerprint('other', id, { body }) }, {}],
    ['that can be repeated without harm', {}, { lookUp: undefined }],
  ])('%s is sent', async (_, before, change) => {
    const { outcome, sends } = await again(row({ id: 'w', ...before }), [], change);
    expect(outcome).toMatchObject({ outcome: 'done', result: { id: 5 } });
    expect(outcome).not.toHaveProperty('coalesced');
    expect(sends.length).toBe(1);
  });

  test('of a write of almost ten minutes ago is not sent', async () => {
    const { sends } = await again(row({ id: 'w', createdAt: startAt - 599_999 }), []);
    expect(sends).toEqual([]);
  });
});

describe('a call that is repeated while nothing can be sent', () => {
  const keptBack = (at: number, change: Partial<WriteIntent> = {}) =>
    row({
      id: `w${at}`,
      state: 'REJECTED',
      wasKeptBack: true,
      reason: `Reason ${at}.`,
      createdAt: startAt - 10_500 - at,
      ...change,
    });
  const withRows = async (rows: readonly WriteIntent[]) => {
    const made = await open();
    await made.journal.change(async (tx) => {
      for (const one of rows) await tx.insertWrite(one);
    });
    return made;
  };
  const five = [0, 1_000, 2_000, 3_000, 4_000].map((at) => keptBack(at));

  test('is refused after five refusals in a minute, until the first of them is a minute ago', async () => {
    const { run, sends, list } = await withRows(five);
    const { code, facts, message, next } = await errorOf(run());
    // The first was 14.5 s ago, so 45.5 s are left.
    expect([code, facts, next]).toEqual(['rate_limited', { retryAfterSeconds: 46 }, 'Call again in 46 s.']);
    expect(message).toContain('5 such calls were refused in the last minute: Reason 0.');
    expect([sends, (await list()).length]).toEqual([[], 5]);
  });

  test('is told how many equal calls were refused, and not how many other ones', async () => {
    const { run } = await withRows([...five, keptBack(5_000, { endpoint: 'deletePie' })]);
    expect((await errorOf(run())).message).toBe('5 such calls were refused in the last minute: Reason 0.');
  });

  test.each<[string, readonly WriteIntent[]]>([
    ['four', five.slice(1)],
    [
      'five, of which the first is a minute ago',
      [...five.slice(1), keptBack(0, { id: 'x', createdAt: startAt - 60_000 })],
    ],
    ['five, of which one is a minute ahead', [...five.slice(1), keptBack(0, { id: 'x', createdAt: startAt + 60_000 })]],
    ['five, of which one reached the broker', [...five.slice(1), keptBack(0, { id: 'x', wasKeptBack: false })]],
    ['five, of which one was another call', [...five.slice(1), keptBack(0, { id: 'x', endpoint: 'deletePie' })]],
    ['five, of which one was of another account', [...five.slice(1), keptBack(0, { id: 'x', accountKey: 'other' })]],
    ['five, of which one was carried out', [...five.slice(1), keptBack(0, { id: 'x', state: 'DONE' })]],
  ])('is sent after %s', async (_, rows) => {
    const { run } = await withRows(rows);
    expect(await run()).toMatchObject({ outcome: 'done' });
  });

  test('is refused without a reason when the refusals have none', async () => {
    const { run } = await withRows(five.map((one) => ({ ...one, reason: undefined })));
    expect((await errorOf(run())).message).toBe('5 such calls were refused in the last minute: ');
  });
});
