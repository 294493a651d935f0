/** What was used for live trading stays live: a setting that calls it demo sends no order there. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createLiveNotes,
  isLiveKey,
  isLiveOrigin,
  liveOriginRefusal,
  recordLiveOrigin,
  type Service,
  type TradingSettings,
} from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import type { Journal, JournalChange } from '../../../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

const live = { origin: 'https://live.example', account: 'a1', keyHash: 'k1' };

let journal: Journal;

beforeEach(async () => {
  journal = createJournal(await createMemoryEngine(), createManualClock({ startAt: 0 })) as unknown as Journal;
});

const record = (service: Service) => journal.change((tx) => recordLiveOrigin(tx, service));
const stored = () => journal.read((tx) => tx.get('live service'));

describe('the record', () => {
  test('has each address under one name, and each account and key once', async () => {
    await record({ ...live, origin: 'https://LIVE.example:443/api/v0/' });
    await record(live);
    await record({ origin: 'https://other.example', account: 'a2', keyHash: 'k2' });
    expect(await stored()).toEqual({
      origins: ['https://live.example', 'https://other.example'],
      accounts: ['a1', 'a2'],
      keys: ['k1', 'k2'],
    });
  });

  test.each<[keyof typeof live, object]>([
    ['origin', { origins: ['https://live.example'], accounts: [], keys: [] }],
    ['account', { origins: [], accounts: ['a1'], keys: [] }],
    ['keyHash', { origins: [], accounts: [], keys: ['k1'] }],
  ])('of a service of which only the %s is known has nothing else', async (name, known) => {
    await record({ [name]: live[name] });
    expect(await stored()).toEqual(known);
  });

  test('knows its addresses in every spelling, and its keys', async () => {
    const addresses = ['https://live.example', 'https://Live.example./api/v0', 'https://other.example'];
    const keys = ['k1', 'k2', undefined];
    const known = () =>
      journal.read(async (tx) => ({
        addresses: await Promise.all(addresses.map((address) => isLiveOrigin(tx, address))),
        keys: await Promise.all(keys.map((key) => isLiveKey(tx, key))),
      }));
    expect(await known()).toEqual({ addresses: [false, false, false], keys: [false, false, false] });
    await record(live);
    expect(await known()).toEqual({ addresses: [true, true, false], keys: [true, false, false] });
  });
});

describe('a demo order', () => {
  const demo = { environment: 'demo', origin: 'https://demo.example', liveTrading: false } as const;
  const ruleOf = (settings: Partial<TradingSettings>, account?: string) =>
    journal.read(async (tx) => {
      const whole = { ...demo, approval: undefined, haltFile: () => false, ...settings };
      return (await liveOriginRefusal(tx, whole, account))?.rule;
    });
  const serviceOf = (service: Service) => ({ service: () => service });

  beforeEach(() => record(live));

  test.each<[string, Partial<TradingSettings>, string?]>([
    ['a recorded address', { origin: 'https://live.example' }],
    ['another spelling of a recorded address', { origin: 'https://live.example:443/api/v0' }],
    ['an account that the service just reported and the record has', {}, 'a1'],
    ['an account that it reported before and the record has', serviceOf({ account: 'a1' })],
    ['a recorded account before another one', serviceOf({ account: 'a1' }), 'a2'],
    ['a recorded key', serviceOf({ keyHash: 'k1' })],
  ])('to %s is refused', async (_, settings, account) => {
    expect(await ruleOf(settings, account)).toBe('live_service');
  });

  test.each<[string, Partial<TradingSettings>, string?]>([
    ['nothing that is recorded', serviceOf({ origin: 'https://demo.example', account: 'a2', keyHash: 'k2' }), 'a2'],
    ['an unknown service', { origin: undefined }],
    ['the live service in live', { environment: 'live', ...live, ...serviceOf(live) }, 'a1'],
    ['a sandbox', { environment: 'sandbox', origin: 'https://live.example' }],
  ])('to %s is not refused', async (_, settings, account) => {
    expect(await ruleOf(settings, account)).toBeUndefined();
  });

  test('is not refused where nothing was recorded', async () => {
    await journal.change((tx) => tx.set('live service', undefined));
    expect(await ruleOf({ origin: 'https://live.example', ...serviceOf(live) }, 'a1')).toBeUndefined();
  });
});

describe('the notes of a process', () => {
  /** Counts the transactions, and lets the first ones fail. */
  function counted(failing = 0) {
    let changes = 0;
    const change = async <Result>(work: (tx: JournalChange) => Promise<Result>) => {
      changes++;
      if (changes <= failing) throw new BrokerageError('store_unavailable', 'The disk is full.', 'Free space.');
      return journal.change(work);
    };
    return { note: createLiveNotes({ ...journal, change }), changes: () => changes };
  }

  test('are written once for each new fact', async () => {
    const { note, changes } = counted();
    await note({ origin: live.origin });
    await note({ origin: live.origin });
    expect(changes()).toBe(1);
    await note({ ...live, keyHash: undefined });
    await note(live);
    await note({ ...live });
    expect(changes()).toBe(3);
    expect(await stored()).toEqual({ origins: ['https://live.example'], accounts: ['a1'], keys: ['k1'] });
  });

  test('that the store did not take are written with the next response', async () => {
    const { note, changes } = counted(1);
    await note(live);
    expect(await stored()).toBeUndefined();
    await note(live);
    await note(live);
    expect(changes()).toBe(2);
    expect(await journal.read((tx) => isLiveKey(tx, 'k1'))).toBe(true);
  });
});
