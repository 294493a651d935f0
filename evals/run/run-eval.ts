/** Plays one evaluation: on a fresh store, and on one that knows the account. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { groupBy } from '../../src/core/text/group-by.ts';
import { makeCalls } from '../models/scripted.ts';
import type { Called, Eval, Model, Said, Step } from '../types.ts';
import { checkFigures, listUncontrolled } from './check-figures.ts';
import { checkOrders } from './check-orders.ts';
import { onSite, type Site, type SiteOptions } from './environment.ts';
import { watchedHands } from './recording-client.ts';

export interface Play {
  readonly phase: 'cold' | 'warm';
  /** Empty when all is right. */
  readonly problems: readonly string[];
  readonly said: Said;
  readonly called: readonly Called[];
  readonly requests: number;
  readonly allowed: number;
  /** Of all results, as a model reads them (o200k). */
  readonly tokens: number;
  readonly ms: number;
}

export interface PlayOptions extends SiteOptions {
  readonly phases: readonly Play['phase'][];
  /** An additional request is a failure: for the ideal calls, not for a model that explores first. */
  readonly requestsCount: boolean;
}

export async function playEval(evaluation: Eval, model: Model, options: PlayOptions): Promise<Play[]> {
  const { warmUp, setting = {} } = evaluation;
  const { phases } = options;
  const plays: Play[] = [];
  if (phases.includes('cold') || warmUp === undefined)
    plays.push(...(await onSite(setting, options, (site) => playOn(site, evaluation, model, options))));
  if (phases.includes('warm') && warmUp !== undefined) {
    await onSite(setting, options, async (site) => {
      await makeCalls(warmUp, watchedHands(site));
      await settle(site, setting.limitScale ?? options.limitScale, 0);
      plays.push(await playOnce('warm', evaluation, model, site, options));
    });
  }
  return plays.filter(({ phase }) => phases.includes(phase));
}

/** Plays evaluations with one setting, one after the other, on a site where the histories were read before. */
export async function playShared<Result>(
  evaluations: readonly Eval[],
  model: Model,
  options: PlayOptions,
  toResult: (evaluation: Eval, plays: readonly Play[]) => Result,
): Promise<Result[]> {
  const setting = evaluations[0]?.setting ?? {};
  return onSite(setting, options, async (site) => {
    await makeCalls(readEverything, watchedHands(site));
    await settle(site, setting.limitScale ?? options.limitScale, 0);
    const results: Result[] = [];
    for (const evaluation of evaluations)
      results.push(toResult(evaluation, [await playOnce('warm', evaluation, model, site, options)]));
    return results;
  });
}

/** Again until it is complete. */
const readEverything: readonly Step[] = [
  {
    tool: 'calculate_returns',
    again: (bodies) => (bodies.at(-1)?.complete === true ? undefined : {}),
    everySeconds: 1,
  },
  { tool: 'list_exchanges', args: { ticker: 'QWRLDl_EQ' } },
];

/** The cold play, and the warm one where it repeats the same request. */
export async function playOn(site: Site, evaluation: Eval, model: Model, options: PlayOptions): Promise<Play[]> {
  const plays = [await playOnce('cold', evaluation, model, site, options)];
  if (!options.phases.includes('warm') || evaluation.warmUp !== undefined) return plays;
  await evaluation.meanwhile?.(site.simulator);
  return [...plays, await playOnce('warm', evaluation, model, site, options)];
}

async function playOnce(
  phase: Play['phase'],
  evaluation: Eval,
  model: Model,
  site: Site,
  options: PlayOptions,
): Promise<Play> {
  const { simulator, world } = site;
  const logged = simulator.log.length;
  const hands = watchedHands(site);
  const [beginning] = hands.moments;
  const { books: before, second: secondBefore } = beginning ?? site.readBooks();
  const startedAt = beginning?.at ?? site.now();
  const playedFrom = performance.now();
  const said = await model
    .play(evaluation, hands)
    .catch((error: Error): Said => ({ failed: `the model stopped: ${error.message}` }));
  const ms = performance.now() - playedFrom;
  const now = { at: site.now(), ...site.readBooks() };
  await settle(site, evaluation.setting?.limitScale ?? options.limitScale, logged);
  const log = simulator.log.slice(logged);
  const after = { ...now, ...site.readBooks(), before, secondBefore, startedAt, world };
  const changes = evaluation.orders !== undefined || evaluation.writes !== undefined;
  // A reply about reads is right when it was right at any moment of the conversation, because prices change.
  const moments = [now, ...(changes ? [] : hands.moments.toReversed())];
  const checks = moments.map((moment) => {
    const truth = once(() => evaluation.truth({ ...moment, before, secondBefore, startedAt, world }));
    return (reply: Said) => checkFigures(reply, truth);
  });
  const figures = checks.map((check) => check(said));
  const orders = [now, ...hands.moments].map(({ at }) => checkOrders(evaluation, { ...after, at }, hands.called, log));
  const allowed = evaluation.requests[phase];
  const refused = log.filter((request) => request.refused).length;
  return {
    phase,
    problems: [
      ...fewest(figures),
      ...listUncontrolled(said, checks),
      ...fewest(orders),
      ...site.recording.takeViolations(),
      ...(options.requestsCount && log.length > allowed
        ? [`requests: ${log.length}, allowed: ${allowed} (${countEach(log)})`]
        : []),
      ...(refused > 0 ? [`the service refused ${refused} requests for its limits`] : []),
    ],
    said,
    called: hands.called,
    requests: log.length,
    allowed,
    tokens: hands.called.reduce((sum, { body }) => sum + encode(JSON.stringify(body)).length, 0),
    ms,
  };
}

/** Computes it once; what it throws, it throws each time. */
function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

const countEach = (log: Site['simulator']['log']): string =>
  Array.from(
    groupBy(log, ({ endpoint }) => endpoint),
    ([endpoint, { length }]) => `${length} ${endpoint}`,
  ).join(', ');

const fewest = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.reduce((best, list) => (list.length < best.length ? list : best));

const histories = new Set(['listHistoricalOrders', 'listDividends', 'listTransactions']);

const mostRounds = 100;

/** Until no background read runs any more, and short-lived caches have expired. */
async function settle({ simulator }: Site, limitScale: number, from: number): Promise<void> {
  const reads = simulator.log.slice(from).some(({ endpoint }) => histories.has(String(endpoint)));
  // A period of the histories is a minute; of the account and the orders five seconds.
  const quietMs = (reads ? 60_000 : 5_000) * limitScale + 150;
  let size = -1;
  for (let round = 0; size !== simulator.log.length && round < mostRounds; round++) {
    size = simulator.log.length;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}
