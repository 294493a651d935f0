/** Plays one evaluation: on a fresh store, and on one that knows the account. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { makeCalls } from '../models/ideal.ts';
import type { Called, Eval, Model, Said } from '../types.ts';
import { checkFigures } from './check-figures.ts';
import { checkOrders } from './check-orders.ts';
import { watchedHands } from './hands.ts';
import { onSite, type Site, type SiteOptions } from './site.ts';

export interface Play {
  readonly phase: 'cold' | 'warm';
  /** Nothing when all is right. */
  readonly problems: readonly string[];
  readonly said: Said;
  readonly called: readonly Called[];
  readonly requests: number;
  readonly allowed: number;
  /** Of all answers, as a model reads them (o200k). */
  readonly tokens: number;
  readonly ms: number;
}

export interface PlayOptions extends SiteOptions {
  readonly phases: readonly Play['phase'][];
  /** A request too many is a failure: for the ideal calls, not for a model that looks around first. */
  readonly requestsCount: boolean;
}

export async function playEval(evaluation: Eval, model: Model, options: PlayOptions): Promise<Play[]> {
  const plays: Play[] = [];
  const { warmUp, meanwhile, setting = {} } = evaluation;
  const scale = setting.limitScale ?? options.limitScale;
  const wants = (phase: Play['phase']) => options.phases.includes(phase);
  const again = wants('warm') && warmUp === undefined;
  if (wants('cold') || again) {
    await onSite(setting, options, async (site) => {
      plays.push(await playOnce('cold', evaluation, model, site, options));
      if (!again) return;
      await meanwhile?.(site.simulator);
      plays.push(await playOnce('warm', evaluation, model, site, options));
    });
  }
  if (wants('warm') && warmUp !== undefined) {
    await onSite(setting, options, async (site) => {
      await makeCalls(warmUp, watchedHands(site));
      await settle(site, scale, 0);
      plays.push(await playOnce('warm', evaluation, model, site, options));
    });
  }
  return plays.filter(({ phase }) => wants(phase));
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
  const before = beginning?.books ?? simulator.books();
  const startedAt = performance.now();
  const said = await model
    .play(evaluation, hands)
    .catch((error: Error): Said => ({ failed: `the model stopped: ${error.message}` }));
  const ms = performance.now() - startedAt;
  const now = { at: site.now(), books: simulator.books() };
  await settle(site, evaluation.setting?.limitScale ?? options.limitScale, logged);
  const log = simulator.log.slice(logged);
  // An answer is right when it was right at any moment of the conversation.
  const wrong = [now, ...hands.moments.toReversed()].map((moment) =>
    checkFigures(said, evaluation.truth({ ...moment, before, world })),
  );
  const allowed = evaluation.requests[phase];
  const refused = log.filter((request) => request.refused).length;
  return {
    phase,
    problems: [
      ...(wrong.some((problems) => problems.length === 0) ? [] : (wrong[0] ?? [])),
      ...checkOrders(evaluation, { ...now, books: simulator.books(), before, world }, hands.called, log),
      ...(options.requestsCount && log.length > allowed ? [`requests: ${log.length}, allowed: ${allowed}`] : []),
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

const histories = new Set(['listHistoricalOrders', 'listDividends', 'listTransactions']);

/** Until nothing is being read behind the answers any more, and what was kept for moments has lapsed. */
async function settle({ simulator }: Site, limitScale: number, from: number): Promise<void> {
  const reads = simulator.log.slice(from).some(({ endpoint }) => histories.has(String(endpoint)));
  // A period of the histories is a minute; of the account and the orders five seconds.
  const quietMs = (reads ? 60_000 : 5_000) * limitScale + 150;
  for (let size = -1; size !== simulator.log.length; ) {
    size = simulator.log.length;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}
