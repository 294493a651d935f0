/** Whether orders can be placed at all, why not, and how they are approved. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  liveOriginRefusal,
  recordLiveOrigin,
  type TradingSettings,
} from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import {
  approvalInForce,
  isStrictEnough,
  setHalt,
  tradingRefusal,
  writeRefusal,
} from '../../../../src/core/orders/halt/trading-state.ts';
import type { ApprovalMethod } from '../../../../src/core/orders/intent/approval-methods.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal, StoreWitness } from '../../../../src/core/orders/intent/journal-port.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, openJournal, startAt } from '../send/approved-order.ts';

const live: TradingSettings = {
  environment: 'live',
  origin: 'https://live.example',
  service: () => ({ origin: 'https://live.example', account: 'a1', keyHash: 'k1' }),
  liveTrading: true,
  approval: undefined,
  haltFile: () => false,
};
const demo: TradingSettings = { ...live, environment: 'demo', origin: 'https://demo.example', service: undefined };

let journal: Journal;
beforeEach(async () => {
  journal = await openJournal(createManualClock({ startAt }));
});

const enrol = (approval: ApprovalMethod = 'page', origin: string | undefined = undefined) =>
  journal.change((tx) => tx.set('security', { approval, limits: {}, enrolledAt: startAt, origin }));
const halt = (reason: string) => journal.change((tx) => setHalt(tx, { at: startAt, by: 'command', reason }));
const givenUnknown = (...others: Partial<Intent>[]) =>
  journal.change(async (tx) => {
    for (const [n, other] of others.entries())
      await tx.insert({ ...approvedOrder, id: String(n), state: 'UNKNOWN', ...other });
  });
const refusalOf = (settings: TradingSettings, account: string | undefined = 'account') =>
  journal.read((tx) => tradingRefusal(settings, tx, account));
const writeRefusalOf = (settings: TradingSettings) => journal.read((tx) => writeRefusal(settings, tx));

/** Of a place where another store was used before. */
const changed: StoreWitness = {
  read: () => ({ id: 'seen before', seq: 1, hash: 'x' }),
  readAnywhere: () => [],
  write: () => undefined,
};

const methods = ['none', 'elicitation', 'page', 'terminal'] as const;

describe('an approval is strict enough', () => {
  const pairs = methods.slice(1).flatMap((by) => methods.map((wanted) => [by, wanted] as const));
  test.each(pairs)('by %s, where %s is wanted, if it is no weaker', (by, wanted) => {
    expect(isStrictEnough(by as ApprovalMethod, wanted)).toBe(methods.indexOf(by) >= methods.indexOf(wanted));
  });
});

describe('the approval method in force', () => {
  const methodOf = (settings: TradingSettings) => journal.read((tx) => approvalInForce(settings, tx));

  test.each([undefined, ...methods])('in demo is the configured one: %s', async (approval) => {
    await enrol('terminal');
    expect(await methodOf({ ...demo, approval })).toBe(approval ?? 'none');
  });

  test('in live is the page where nothing is enrolled and nothing configured', async () => {
    expect(await methodOf(live)).toBe('page');
  });

  const enrolled = methods.slice(1) as ApprovalMethod[];
  test.each(enrolled)('in live is the enrolled one where nothing is configured: %s', async (method) => {
    await enrol(method);
    expect(await methodOf(live)).toBe(method);
  });

  test.each(enrolled.flatMap((one) => methods.map((other) => [one, other] as const)))(
    'in live is the stricter of the enrolled and the configured one: %s, %s',
    async (one, other) => {
      await enrol(one);
      const stricter = methods.indexOf(other) > methods.indexOf(one) ? other : one;
      expect(await methodOf({ ...live, approval: other })).toBe(stricter);
    },
  );
});

describe('nothing that changes the account is sent', () => {
  test('in live while live trading is off', async () => {
    expect(await writeRefusalOf({ ...live, liveTrading: false })).toEqual({
      rule: 'live_not_enabled',
      reason: 'Live trading is off: BROKER_LIVE_TRADING is not true.',
    });
  });

  test('in demo to a service that is known as live', async () => {
    await journal.change((tx) => recordLiveOrigin(tx, { origin: demo.origin }));
    expect(await writeRefusalOf(demo)).toEqual(await journal.read((tx) => liveOriginRefusal(tx, demo)));
    expect(await writeRefusalOf(demo)).toEqual({
      rule: 'live_service',
      reason: 'This store has recorded this base URL, account or key as live, so demo orders to it are blocked.',
    });
  });

  test('to another address than the enrolled one', async () => {
    await enrol('page', 'https://enrolled.example');
    expect(await writeRefusalOf(live)).toEqual({
      rule: 'live_service',
      reason:
        'The key is enrolled for https://enrolled.example, and this server is set to https://live.example, so the key is not sent.',
    });
  });

  test('in demo with the live key to another address than the enrolled one', async () => {
    await enrol('page', 'https://enrolled.example');
    await journal.change((tx) => recordLiveOrigin(tx, { keyHash: 'k1' }));
    const other = { ...demo, service: () => ({ keyHash: 'k1' }) };
    expect(await writeRefusalOf(other)).toEqual({
      rule: 'live_service',
      reason: 'This store has recorded this base URL, account or key as live, so demo orders to it are blocked.',
    });
  });

  test('in live while the store is not the one that was used before', async () => {
    const refusal = await writeRefusalOf({ ...live, witness: changed });
    expect(refusal?.rule).toBe('store_changed');
    expect(refusal?.reason).toMatch(/^The store is a new one, .* would be a second one\. Compare .* in a terminal\.$/);
  });

  test.each([live, demo])('while trading is halted', async (settings) => {
    await halt('I stopped it');
    expect(await writeRefusalOf(settings)).toEqual({
      rule: 'halted',
      reason:
        'Trading is halted: I stopped it. The owner can lift the halt with brokerage-mcp resume in a terminal; cancelling still works.',
    });
  });

  test.each(['Stop!', 'Stop?', 'Stop.'])('with the reason as it ends: %s', async (reason) => {
    await halt(reason);
    expect((await writeRefusalOf(demo))?.reason).toContain(`Trading is halted: ${reason} The owner`);
  });

  test('with a stop inside of the reason added to its end only', async () => {
    await halt('Fell by 2.5 percent');
    expect((await writeRefusalOf(demo))?.reason).toContain('Trading is halted: Fell by 2.5 percent. The owner');
  });

  test('while the file halts, before any process has noticed it', async () => {
    const refusal = await writeRefusalOf({ ...demo, haltFile: () => true });
    expect(refusal?.rule).toBe('halted');
    expect(refusal?.reason).toContain('Trading is halted: The file "halt" is in the state folder. The owner');
  });
});

describe('nothing keeps a change of the account from being sent', () => {
  test.each([live, { ...demo, liveTrading: false }])('when no rule applies', async (settings) => {
    expect(await writeRefusalOf(settings)).toBeUndefined();
  });

  test('to the enrolled address', async () => {
    await enrol('page', 'https://live.example');
    expect(await writeRefusalOf(live)).toBeUndefined();
  });

  test('in the sandbox, which has no address', async () => {
    await enrol('page', 'https://enrolled.example');
    expect(await writeRefusalOf({ ...live, origin: undefined })).toBeUndefined();
  });

  test('in demo while the store differs, whose orders are not real', async () => {
    expect(await writeRefusalOf({ ...demo, witness: changed })).toBeUndefined();
  });
});

describe('no order is placed', () => {
  test('without an enrolled passphrase in live', async () => {
    const refusal = await refusalOf(live);
    expect(refusal?.rule).toBe('approval_missing');
    expect(refusal?.reason).toMatch(/^Live orders need the approval of a human, /);
  });

  test.each(['page', 'terminal'] as const)(
    'without an enrolled passphrase in demo with approval by %s',
    async (approval) => {
      const refusal = await refusalOf({ ...demo, approval });
      expect(refusal?.rule).toBe('approval_missing');
      expect(refusal?.reason).toMatch(/^Orders here need the approval of a human, /);
    },
  );

  test('while two orders of the account have an unknown outcome', async () => {
    await givenUnknown({}, { state: 'AMBIGUOUS' });
    const refusal = await refusalOf(demo);
    expect(refusal?.rule).toBe('open_unknown');
    expect(refusal?.reason).toMatch(/^2 orders have an unknown outcome /);
  });

  test('and a setting or an enrollment that is missing is named before a halt', async () => {
    await halt('stop');
    expect(await refusalOf({ ...live, liveTrading: false })).toMatchObject({ rule: 'live_not_enabled' });
    expect(await refusalOf(live)).toMatchObject({ rule: 'approval_missing' });
    await enrol();
    expect(await refusalOf(live)).toMatchObject({ rule: 'halted' });
  });

  test('and a halt is named before orders of unknown outcome', async () => {
    await halt('stop');
    await givenUnknown({}, {});
    expect(await refusalOf(demo)).toMatchObject({ rule: 'halted' });
  });
});

describe('orders are placed', () => {
  test('in live once a passphrase is enrolled', async () => {
    await enrol();
    expect(await refusalOf(live)).toBeUndefined();
  });

  test.each([undefined, 'none', 'elicitation'] as const)(
    'in demo without a passphrase with approval %s',
    async (approval) => {
      expect(await refusalOf({ ...demo, approval })).toBeUndefined();
    },
  );

  test.each<[string, Partial<Intent>[], string | undefined]>([
    ['one order has an unknown outcome', [{}], 'account'],
    ['the second one is of another account', [{}, { accountKey: 'other' }], 'account'],
    ['the second one was placed', [{}, { state: 'PLACED' }], 'account'],
    ['the account is not known yet', [{}, {}], undefined],
  ])('while %s', async (_, orders, account) => {
    await givenUnknown(...orders);
    expect(await journal.read((tx) => tradingRefusal(demo, tx, account))).toBeUndefined();
  });
});
