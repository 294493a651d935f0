/**
 * Searches for an order whose response was lost. Finding one settles it. Not finding one proves nothing, so an
 * intent leaves `UNKNOWN` for `PROBABLY_ABSENT` only after every round, and only a human closes it.
 */
import type { Broker, CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { endpoints, type Order } from '../../endpoints/index.ts';
import { hasCode } from '../../errors.ts';
import { isHeld, type ProcessRegistry } from '../../lease.ts';
import { log } from '../../log.ts';
import { heldQuantity, readAccount } from '../account/account-snapshot.ts';
import { haltIfNeeded } from '../halt/trading-state.ts';
import type { Intent, ReconcileState } from '../intent/intent.ts';
import type { Journal } from '../intent/journal-port.ts';
import { type IntentEvent, nextState } from '../intent/states.ts';
import { isCandidate, matchesBalanceChange, submissionWindow } from './match-order.ts';
import { isSearchDue, maxRounds, roundDueAt } from './reconcile-schedule.ts';

/** How long one process has for a round; then another may search. */
const roundMs = 60_000;
/** More pages than an account fills in an hour of trading. */
const maxPages = 6;

const patientRounds = 3;
/** Rounds that were missed while no server ran are not caught up in quick succession. */
const minPauseMs = 4_000;
/** The pause after all rounds, while the last one could not be completed. */
const latePauseMs = 300_000;
/** If the search could not be completed for this long, a human must check. */
const maxSearchMs = 86_400_000;

interface Evidence {
  readonly candidates: readonly Order[];
  /** Whether the position or the cash changed as the order would have changed it. */
  readonly isBalanceChanged: boolean;
  /** Whether every source that could show the order was read. */
  readonly complete: boolean;
}

/**
 * Runs one round for one intent if it is due and no other process searches. Returns the row afterwards; undefined
 * when the intent does not exist or was changed in the meantime.
 */
export async function reconcile(
  deps: {
    readonly broker: Broker;
    readonly journal: Journal;
    readonly clock: Clock;
    readonly processes: ProcessRegistry;
  },
  intentId: string,
  context: CallContext,
): Promise<Intent | undefined> {
  const { journal, clock } = deps;
  const claimed = await journal.change(async (tx) => {
    const intent = await tx.find(intentId);
    if (!intent?.search) return undefined;
    const { search } = intent;
    const now = clock.now();
    if (isHeld(search, deps.processes, now, roundMs) || !isSearchDue(search, now)) return undefined;
    return tx.move(intentId, 'UNKNOWN', {
      state: 'UNKNOWN',
      search: { ...search, owner: deps.processes.self, until: now + roundMs },
    });
  });
  if (!claimed) return journal.read((tx) => tx.find(intentId));

  let blockedMs = 0;
  const evidence = await gather(deps.broker, claimed, context, deps.clock.now()).catch((error: unknown) => {
    log.fault('search for an order', error);
    // The service was not asked at all, so this round is repeated after the block.
    if (hasCode(error, 'blocked')) blockedMs = (error.facts.retryAfterSeconds ?? 0) * 1000;
    return undefined;
  });
  return journal.change(async (tx) => {
    const intent = await tx.find(intentId);
    // The sender may have received the response in the meantime.
    if (intent?.state !== 'UNKNOWN' || !intent.search) return intent;
    // Another process may have claimed a candidate while this one was reading.
    const own = [];
    for (const order of evidence?.candidates ?? [])
      if ((await tx.list({ accountKey: intent.accountKey, orderId: order.id ?? '', limit: 1 })).length === 0)
        own.push(order);
    const settled = decide(
      intent.search,
      { isBalanceChanged: false, complete: false, ...evidence, candidates: own },
      clock.now(),
    );
    if (settled) {
      const { event, change } = settled;
      const state = nextState('UNKNOWN', event);
      const moved = await tx.move(intentId, 'UNKNOWN', { ...change, state, changedAt: clock.now(), search: undefined });
      if (moved) await haltIfNeeded(tx, moved, clock.now());
      return moved;
    }
    return tx.move(intentId, 'UNKNOWN', { state: 'UNKNOWN', search: planRound(intent.search, blockedMs, clock.now()) });
  });
}

/** The next round; a round that a block prevented is repeated `blockedMs` later. */
function planRound({ lostAt: storedAt, round }: ReconcileState, blockedMs: number, now: number): ReconcileState {
  const lostAt = Math.min(storedAt, now);
  if (blockedMs > 0) return { lostAt, round, nextAt: now + blockedMs };
  const pauseMs = round >= maxRounds ? latePauseMs : minPauseMs;
  const next = Math.min(round + 1, maxRounds);
  return { lostAt, round: next, nextAt: Math.max(roundDueAt(lostAt, next), now + pauseMs) };
}

function decide(
  { lostAt, round }: ReconcileState,
  { candidates, isBalanceChanged, complete }: Evidence,
  now: number,
): { event: IntentEvent; change: Partial<Intent> } | undefined {
  const [order, ...others] = candidates;
  if (order && others.length > 0)
    return {
      event: 'findMany',
      change: { reason: `${candidates.length} orders of the account may be this one; a human must check.` },
    };
  if (order) return { event: 'findOne', change: { orderId: order.id, orderStatus: order.status, reason: undefined } };
  if (!complete) {
    if (now - lostAt < maxSearchMs) return undefined;
    return {
      event: 'findMany',
      change: { reason: 'The search of the account could not be completed; a human must check.' },
    };
  }
  // A fill can show in the position before the order shows in the history, so the first rounds wait for the
  // history.
  if (isBalanceChanged && round >= patientRounds)
    return {
      event: 'findMany',
      change: {
        reason:
          'No such order is listed, but the position or the cash changed as the order would have changed it; a human must check.',
      },
    };
  if (round < maxRounds) return undefined;
  return {
    event: 'findNothing',
    change: {
      reason:
        'The order was not found in an hour of searching. That does not prove that it does not exist; a human must close it.',
    },
  };
}

async function gather(broker: Broker, intent: Intent, context: CallContext, notBefore: number): Promise<Evidence> {
  const fresh: CallContext = { ...context, priority: 'lookUp', notBefore };
  const account = await readAccount(broker, fresh);
  const window = submissionWindow(intent, account.serviceOffsetMs);
  const past = await readHistory(broker, window.from, fresh);

  const orders = new Map([...past.orders, ...account.pending].map((order) => [order.id, order]));
  const candidates = [...orders.values()].filter((order) => isCandidate(order, intent, window));
  const isBalanceChanged = matchesBalanceChange(intent, {
    position: heldQuantity(intent.ticker, account),
    cash: account.summary.cash?.availableToTrade,
  });
  return { candidates, isBalanceChanged, complete: past.complete };
}

/** Reads pages newest first, until the rows are older than the window. */
async function readHistory(
  broker: Broker,
  from: number,
  context: CallContext,
): Promise<{ orders: readonly Order[]; complete: boolean }> {
  const orders: Order[] = [];
  let pages = 0;
  for await (const page of broker.pages(endpoints.listHistoricalOrders, {}, context)) {
    orders.push(...page.items.flatMap((row) => row.order ?? []));
    const isPast = Date.parse(page.items.at(-1)?.order?.createdAt ?? '') < from;
    if (page.chainError) return { orders, complete: false };
    if (isPast || !page.next) return { orders, complete: true };
    if (++pages >= maxPages) break;
  }
  return { orders, complete: false };
}
