/** What the legs of a draft would cost, and which rules they break, with the account as it is now. Sends nothing. */

import Big from 'big.js';
import type { CallContext } from '../../../core/broker/types.ts';
import type { Clock } from '../../../core/clock.ts';
import { BrokerageError, isFailure } from '../../../core/errors.ts';
import type { InstrumentDirectory } from '../../../core/instruments/instrument-directory.ts';
import { orElse } from '../../../core/log.ts';
import { costMargin, type Estimate } from '../../../core/orders/account/estimate.ts';
import { duplicateWindowMs } from '../../../core/orders/intent/duplicates.ts';
import type { LegReference } from '../../../core/orders/intent/intent.ts';
import { getPlacedAt } from '../../../core/orders/intent/intent-status.ts';
import type { JournalView } from '../../../core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../core/orders/intent/order-request.ts';
import type { Refusal } from '../../../core/orders/intent/refusal.ts';
import type { OrderManager } from '../../../core/orders/order-manager.ts';
import { expectProceeds } from '../../../core/orders/risk/evaluate-draft.ts';
import { countOf, secondsOf } from '../../../core/text/count-of.ts';
import { foreignCurrency } from '../../../core/text/sanitize-text.ts';
import type { DraftLeg } from './draft.ts';
import { assumedPriceOf, toOrder } from './legs.ts';

export interface ReviewDeps {
  readonly directory: InstrumentDirectory;
  readonly orderManager: Pick<OrderManager, 'preview' | 'readAccount'>;
  /** The orders that were sent before. */
  readonly drafts: {
    readonly store: { read<Result>(work: (tx: JournalView) => Promise<Result>): Promise<Result> };
    readonly clock: Clock;
    readonly accountKey: () => Promise<string>;
  };
}

/** A leg as it is now. Without an estimate the account could not be read for it. */
export interface ReviewedLeg {
  readonly leg: DraftLeg;
  readonly estimate?: Estimate | undefined;
  /** The currency of the leg's prices (`GBX` is pence); undefined when it is unknown. */
  readonly priceCurrency?: string | undefined;
  /** The first rule that the leg breaks on its own; undefined when it passes all of them. */
  readonly refusal?: Refusal | undefined;
  /** The trade that this leg seems to repeat: a submission is refused unless it names that one. */
  readonly repeats?: RecentTrade | undefined;
  readonly warnings: readonly string[];
  /** The cash for this buy comes from sells of the draft. */
  readonly dependsOnSells: boolean;
}

/** The sums of a draft, in the account's currency, before charges. */
export interface DraftTotals {
  readonly currency: string | undefined;
  readonly bought: string;
  readonly sold: string;
  /** Legs whose value is unknown or rests on an assumed price; they are in no sum. */
  readonly unknownValues: number;
  readonly cash: string | undefined;
  /** Whether cash and the expected proceeds cover the buys with their margin; undefined when a figure is unknown. */
  readonly isFunded: boolean | undefined;
}

export interface DraftReview {
  readonly legs: readonly ReviewedLeg[];
  readonly totals: DraftTotals;
  /** Whether every leg could be compared with the account. */
  readonly complete: boolean;
  /** Why not, in one sentence. */
  readonly problem?: string | undefined;
  /** Seconds after which they could be, if that is known. */
  readonly retryAfterSeconds?: number | undefined;
  /** When the account was read (ms); undefined when it could not be read. */
  readonly asOf: number | undefined;
}

type Checked = Omit<ReviewedLeg, 'dependsOnSells'> & { readonly asOf?: number; readonly askedAt?: number };

/** Reviews legs. A failure to read the account is part of the result; a cancelled call throws. */
export async function reviewLegs(
  deps: ReviewDeps,
  legs: readonly DraftLeg[],
  context: CallContext,
): Promise<DraftReview> {
  const checked: Checked[] = [];
  let problem: BrokerageError | undefined;
  // All legs use one reading of the account.
  let notBefore: number | undefined;
  for (const leg of legs) {
    const result = problem ?? (await checkLeg(deps, leg, { ...context, notBefore }).catch(toProblem));
    if (result instanceof BrokerageError) {
      problem = result;
      checked.push({ leg, warnings: [] });
    } else {
      notBefore ??= result.askedAt;
      checked.push(result);
    }
  }
  const cash = problem === undefined ? await readCash(deps, context).catch(orElse('drafts', undefined)) : undefined;
  const times = checked.flatMap(({ asOf }) => asOf ?? []);
  return {
    legs: markDependent(checked, cash),
    totals: sumLegs(checked, cash),
    complete: problem === undefined,
    problem: problem?.message,
    retryAfterSeconds: problem?.facts.retryAfterSeconds,
    asOf: times.length > 0 ? Math.min(...times) : undefined,
  };
}

const toProblem = (error: unknown): BrokerageError => {
  if (isFailure(error)) return error;
  throw error;
};

async function checkLeg(deps: ReviewDeps, leg: DraftLeg, context: CallContext): Promise<Checked> {
  const instrument = await deps.directory.getOrThrow(leg.ticker, { ...context, notBefore: undefined });
  const { preview, refusal, asOf, askedAt } = await deps.orderManager.preview(
    toOrder(leg),
    instrument,
    context,
    assumedPriceOf(leg),
  );
  const repeats = await findRepeated(deps, leg);
  const priceCurrency = foreignCurrency(instrument.currencyCode);
  return {
    leg,
    estimate: preview.estimate,
    priceCurrency,
    refusal,
    repeats,
    warnings: preview.warnings,
    asOf,
    askedAt,
  };
}

async function findRepeated({ drafts }: ReviewDeps, leg: DraftLeg): Promise<RecentTrade | undefined> {
  const accountKey = await drafts.accountKey();
  const now = drafts.clock.now();
  return drafts.store.read((tx) => findRecentTrade(tx, leg, { accountKey, now }));
}

/** What our own orders leave of the cash, as the rules and a plan count it. */
const readCash = async ({ orderManager }: ReviewDeps, context: CallContext): Promise<string | undefined> =>
  (await orderManager.readAccount(context)).cash?.toFixed();

/**
 * A buy depends on sells when the cost of the buys up to it, with their margin, exceeds the present cash. The rule
 * about cash checks one order alone, so it says nothing about such a buy.
 */
function markDependent(checked: readonly Checked[], cash: string | undefined): readonly ReviewedLeg[] {
  const hasSells = checked.some(({ leg, estimate }) => expectProceeds(leg, estimate?.value).gt(0));
  let cost = new Big(0);
  return checked.map(({ asOf: _, askedAt: __, ...one }) => {
    if (one.leg.side === 'BUY') cost = cost.plus(new Big(one.estimate?.value ?? 0).times(costMargin));
    const dependsOnSells = one.leg.side === 'BUY' && hasSells && cash !== undefined && cost.gt(cash);
    const refusal = dependsOnSells && one.refusal?.rule === 'cash' ? undefined : one.refusal;
    return { ...one, refusal, dependsOnSells };
  });
}

function sumLegs(checked: readonly Checked[], cash: string | undefined): DraftTotals {
  let [bought, sold, funded] = [new Big(0), new Big(0), new Big(0)];
  let unknownValues = 0;
  for (const { leg, estimate } of checked) {
    const value = estimate?.value;
    if (value === undefined) unknownValues++;
    else if (leg.side === 'BUY') bought = bought.plus(value);
    else {
      sold = sold.plus(value);
      funded = funded.plus(expectProceeds(leg, value));
    }
  }
  const isKnown = unknownValues === 0 && cash !== undefined;
  return {
    currency: checked.flatMap(({ estimate }) => estimate?.currency ?? [])[0],
    bought: bought.toFixed(2),
    sold: sold.toFixed(2),
    unknownValues,
    cash,
    isFunded: isKnown ? funded.plus(cash).gte(bought.times(costMargin)) : undefined,
  };
}

// A trade that a draft made a moment ago: two drafts are often one intention, sent twice.

export interface RecentTrade {
  /** The attempt that sent it, which `repeatOf` must name. */
  readonly submissionId: string;
  /** When its ten minutes are over (ms). */
  readonly until: number;
  /** One sentence for a refusal or a warning, which a person reads too. It names the attempt. */
  readonly text: string;
}

/** The newest leg that traded the ticker in the same direction in the last ten minutes; undefined when none did. */
export async function findRecentTrade(
  tx: JournalView,
  { ticker, side }: Pick<OrderRequest, 'ticker' | 'side'>,
  { accountKey, now }: { readonly accountKey: string; readonly now: number },
): Promise<RecentTrade | undefined> {
  const sent = await tx.list({ accountKey, ticker, createdSince: now - 2 * duplicateWindowMs });
  for (const intent of sent) {
    const { leg, request, state } = intent;
    // It was to be sent, and nothing of it was written.
    if (state === 'NOT_SENT') continue;
    const sentAt = intent.sentAt === undefined ? 0 : getPlacedAt(intent, now);
    if (leg && request.side === side && sentAt > now - duplicateWindowMs)
      return {
        submissionId: leg.submissionId,
        until: sentAt + duplicateWindowMs,
        text: explain(leg, request, now - sentAt),
      };
  }
  return undefined;
}

const explain = ({ submissionId }: LegReference, { side, quantity, ticker }: OrderRequest, agoMs: number): string =>
  `A draft sent ${side} ${quantity} ${ticker} ${sayAge(agoMs)} ago, in submission ${submissionId}.`;

const minuteMs = 60_000;

const sayAge = (ms: number): string => (ms < minuteMs ? secondsOf(ms) : countOf(Math.floor(ms / minuteMs), 'minute'));
