/**
 * Random histories, arrivals, forgotten cursors and reports: a range that is reported as complete has every row once.
 */
// @module-tag server
import { describe, expect, test } from 'vitest';
import type { Broker, CallContext, PageCursor } from '../../../src/core/broker/types.ts';
import type { Report } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { computeCoverage, planSources } from '../../../src/features/history/coverage.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { fetchNewestPage, fetchNextPage, nextJob, type PageReader } from '../../../src/features/history/read-page.ts';
import type { ReportRowOfAnyKind } from '../../../src/features/history/reports/build-rows.ts';
import { importReport } from '../../../src/features/history/reports/import-report.ts';
import { deposit, dividend, iso, startAt } from '../../support/fake-history.ts';
import { fileOf } from './reports/support.ts';

type Kind = 'transactions' | 'dividends';

const steps = 60;
const hourMs = 3_600_000;
const wholeSecond = (at: number) => Math.floor(at / 1000) * 1000;
const context: CallContext = { priority: 'read', deadlineAt: Number.POSITIVE_INFINITY };

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** A service with exact cursors that gets rows while it is read and sometimes forgets a cursor. */
function createWorld(kind: Kind, random: () => number) {
  const rowOf = kind === 'transactions' ? deposit : dividend;
  const below = (most: number) => Math.floor(random() * most);
  let now = startAt;
  let forgets = false;
  let id = 0;
  const entry = (at: number, born: number) => ({ at, born, id: ++id, row: rowOf(at, id, { amount: '1' }) });
  const count = below(400);
  const list = Array.from({ length: count }, (_, index) => entry(startAt - (count - index) * hourMs, 0)).reverse();
  const arrive = (rows: number) => {
    for (let index = 0; index < rows; index++) {
      now += 1 + below(5_000);
      list.unshift(entry(now, now));
    }
  };
  const broker = {
    async *pages(_endpoint: unknown, { from }: { readonly from: PageCursor }) {
      now += 10;
      const askedAt = now;
      if (random() < 0.2) arrive(below(3));
      if (from.cursor && forgets && random() < 0.7)
        throw new BrokerageError('not_found', 'No such place.', 'Begin again.');
      const found = from.cursor ? list.findIndex((row) => row.id <= Number(from.cursor)) : 0;
      const start = found < 0 ? list.length : found;
      const end = start + Number(from.limit);
      const next = list[end] && { limit: '50', cursor: String(list[end].id), time: 'any' };
      now += 10;
      yield { items: list.slice(start, end).map(({ row }) => row), next, askedAt, answeredAt: now };
    },
  } as unknown as Broker;
  const store = createMemoryHistory();
  const reader: PageReader = { broker, store, account: 'account', kind, now: () => now, epoch: async () => 0 };
  const anyMoment = () => list[below(list.length)]?.at ?? startAt;
  return {
    list,
    reader,
    arrive,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    toggleForgetting: () => {
      forgets = !forgets;
    },
    /** A report between the moments of two rows; its file has full seconds. */
    report: async (reportId: string) => {
      const [one, other] = [anyMoment(), anyMoment()];
      const from = wholeSecond(Math.min(one, other));
      const to = wholeSecond(Math.max(one, other)) + 1_000;
      const included = list.filter(({ at }) => at >= from && at < to);
      const rows = included.map(({ at, row }, line) => {
        const date = iso(wholeSecond(at));
        const inSeconds = 'paidOn' in row ? { ...row, paidOn: date } : { ...row, dateTime: date };
        return { kind, row: inSeconds, at, line, id: '', tickerIsShort: false };
      });
      const dataIncluded = { includeTransactions: true, includeInterest: true, includeDividends: true };
      const about = { reportId, timeFrom: iso(from), timeTo: iso(to), dataIncluded } as Report;
      await importReport(store, 'account', about, fileOf(rows as unknown as ReportRowOfAnyKind[]), now);
    },
  };
}
type World = ReturnType<typeof createWorld>;

async function step(world: World, random: () => number, number: number): Promise<void> {
  const { reader } = world;
  const choice = random();
  world.pass(1_000 + Math.floor(random() * 60_000));
  if (choice < 0.25) world.arrive(Math.floor(random() * (random() < 0.15 ? 150 : 8)));
  else if (choice < 0.5) await fetchNewestPage(reader, context).catch(() => undefined);
  else if (choice < 0.53) world.toggleForgetting();
  else if (choice < 0.56) await world.report(String(number));
  else {
    const state = await reader.store.read(reader, (tx) => tx.state());
    const job = nextJob(state, world.now());
    if (job) await fetchNextPage(reader, job, context);
    else world.pass(5_000);
  }
}

/**
 * A request for all rows or for a random range, checked by brute force against the existing rows; undefined when it is
 * not reported as complete.
 */
async function check(
  { list, reader, now }: World,
  random: () => number,
): Promise<{ lost: string[]; doubled: number } | undefined> {
  const state = await reader.store.read(reader, (tx) => tx.state());
  const [top] = state?.stretches ?? [];
  if (!state || !top) return undefined;
  const kind = reader.kind;
  const since = wholeSecond(startAt - random() * 400 * hourMs + (random() < 0.5 ? 0 : now() - startAt));
  const until = wholeSecond(startAt - random() * 100 * hourMs + (now() - startAt) * random());
  const range = random() < 0.3 ? {} : { since, until };
  if (range.since !== undefined && since >= until) return undefined;
  if (!computeCoverage(state, { kind, ...range }, top.askedAt, 0).complete) return undefined;
  const rows = await reader.store.read(reader, (tx) => tx.rows({ spans: planSources(state, range) }));
  const got = rows.map(({ data }) => JSON.parse(data).reference as string);
  const wanted = list.filter(
    ({ at, born }) => born <= top.askedAt && (range.since === undefined || (at >= since && at < until)),
  );
  const told = new Set(got);
  const lost = wanted.map(({ row }) => row.reference).filter((reference) => !told.has(reference));
  return { lost, doubled: got.length - told.size };
}

/** Draws a world for each of the seeds. */
async function expectCompleteRanges(
  kind: 'transactions' | 'dividends',
  firstSeed: number,
  seeds: number,
): Promise<void> {
  let wholeAnswers = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const random = randomOf(seed);
    const world = createWorld(kind, random);
    for (let number = 0; number < steps; number++) {
      await step(world, random, number);
      const found = await check(world, random);
      if (!found) continue;
      wholeAnswers++;
      expect(found, `seed ${seed}, step ${number}`).toEqual({ lost: [], doubled: 0 });
    }
  }
  // Enough complete ranges that finding no wrong one means something.
  expect(wholeAnswers).toBeGreaterThan(seeds * 10);
}

describe.each(['transactions', 'dividends'] as const)('whatever happens between the pages, a range of %s', (kind) => {
  test('that is complete has every row once', { tags: ['slow'] }, () => expectCompleteRanges(kind, 1, 10));

  test('that is complete has every row once, with more seeds', { tags: ['slow'] }, () =>
    expectCompleteRanges(kind, 11, 30),
  );
});
