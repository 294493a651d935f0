/** Places one order: creates its intent, waits for a person where one must approve it, and sends it. */

import { randomBytes } from 'node:crypto';
import type { CallContext } from '../broker/types.ts';
import type { TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { log, orElse } from '../log.ts';
import { isTicker } from '../text/sanitize-text.ts';
import { createIntent, type LegTurn } from './create-intent.ts';
import { maxForms, methodFacts, readTyped, sayTyped, withFormSent } from './intent/approval-methods.ts';
import type { Intent } from './intent/intent.ts';
import { type ApprovalChannels, applyTransition } from './intent/journal-port.ts';
import { type OrderRequest, orderFingerprint } from './intent/order-request.ts';
import { toOutcome } from './intent/outcome.ts';
import type { IntentRunner } from './intent-runner.ts';
import type { OrderDeps } from './order-deps.ts';
import {
  buildPlaceResult,
  type PlaceReply,
  type PromptCapabilities,
  refusedByStore,
  replyUnread,
} from './place-result.ts';
import { listOrderWarnings } from './risk/order-preview.ts';

export interface PlaceOptions extends PromptCapabilities {
  readonly repeatOf?: string | undefined;
  readonly progress?: ((message: string) => void) | undefined;
}

/** The person's response to a form. */
export interface FormResponse {
  readonly nonce: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly confirmQuantity: unknown;
  /** Whether the call that asked matched an earlier one. */
  readonly isRepeat?: boolean | undefined;
}

export interface PlacingDeps extends OrderDeps {
  readonly runner: IntentRunner;
}

/** Places an order whose arguments were validated; see `OrderManager.place`. */
export async function placeOrder(
  deps: PlacingDeps,
  request: OrderRequest,
  instrument: TradableInstrument,
  context: CallContext,
  options: PlaceOptions,
): Promise<PlaceReply> {
  // The service chooses these names, and a person approves by what the ticket shows.
  if (!isTicker(request.ticker))
    throw new BrokerageError(
      'invalid_argument',
      'The ticker of this instrument has characters that are not allowed in a ticker, so an order cannot display it safely.',
      'Choose another instrument, or place the order in the broker’s application.',
    );
  const id = randomBytes(16).toString('hex');
  try {
    const wanted = { id, request, repeatOf: options.repeatOf, progress: options.progress };
    const { intent, isOld, facts, unread } = await createIntent(deps, wanted, instrument, context);
    if (unread) return replyUnread(intent, unread, deps.clock.now());
    try {
      const isReady = !isOld && facts !== undefined && intent.state === 'APPROVED';
      if (!isReady) return await continueIntent(deps, intent, isOld, context, options);
      const sent = await reply(deps, await deps.runner.send(intent, facts, context), false, options);
      return withWarnings(sent, listOrderWarnings(request, facts));
    } catch (error) {
      return await replyDespite(deps, intent, isOld, error);
    }
  } catch (error) {
    return replyAfterFailedInsert(deps, id, error);
  }
}

/** Continues after the response to a form; see `OrderManager.continueAfterForm`. */
export async function continueAfterForm(
  deps: PlacingDeps,
  request: OrderRequest,
  form: FormResponse,
  context: CallContext,
  options: PlaceOptions,
): Promise<PlaceReply | undefined> {
  const intent = await deps.approvals.findByNonce(form.nonce);
  if (!intent || !(await isOwnIntent(deps, intent))) return undefined;
  // The response to one order does not approve another.
  const { accountKey, environment, fingerprint } = intent;
  if (orderFingerprint(request, { accountKey, environment }) !== fingerprint) return undefined;
  try {
    return await decideByForm(deps, intent, form, context, options);
  } catch (error) {
    return await replyDespite(deps, intent, false, error);
  }
}

const withWarnings = (result: PlaceReply, warnings: readonly string[] | undefined): PlaceReply =>
  result.outcome === 'placed' && warnings?.length ? { ...result, warnings } : result;

/** The store is shared by all environments and accounts; this process handles only its own. */
export const isOwnIntent = async (
  { settings, accountKey }: Pick<OrderDeps, 'settings' | 'accountKey'>,
  intent: Intent,
): Promise<boolean> => intent.environment === settings.environment && intent.accountKey === (await accountKey());

/** The result of an intent as it is. */
export const reply = (
  { clock, readOnly, channels }: Pick<OrderDeps, 'clock' | 'readOnly' | 'channels'>,
  intent: Intent,
  isOld: boolean,
  options: PromptCapabilities,
): Promise<PlaceReply> =>
  buildPlaceResult(intent, { ...options, isOld, now: clock.now(), channels: readOnly ? noChannels : channels });

/** A read-only server serves no approval page. */
const noChannels: ApprovalChannels = { pageUrl: async () => undefined, opensBrowser: false };

async function continueIntent(
  deps: PlacingDeps,
  intent: Intent,
  isOld: boolean,
  context: CallContext,
  options: PlaceOptions,
): Promise<PlaceReply> {
  if (intent.state === 'AWAITING_APPROVAL' && intent.approval) {
    // Start serving the page before the call waits for it.
    const { hostOpens } = methodFacts[intent.method];
    const address = hostOpens === 'page' ? await deps.channels.pageUrl(intent.approval.handle) : undefined;
    if (address) options.progress?.(`Waiting for the approval of a human at ${address}`);
    // The caller asks its user first and calls again with the response.
    const asksNow = hostOpens === 'form' ? options.canAsk : hostOpens === 'page' && options.canOpen;
    if (asksNow) {
      const { nonce } = intent.approval;
      const asked = hostOpens === 'form' ? await deps.approvals.noteForm(nonce, withFormSent) : intent;
      return reply(deps, asked ?? intent, isOld, options);
    }
    // No window shows the page, so a call that waits would only keep the address from the person; the same call again
    // waits.
    if (address && !deps.channels.opensBrowser && !isOld) return reply(deps, intent, isOld, options);
  }
  const followed = await deps.runner.follow(intent, context, options.progress);
  return withWarnings(await reply(deps, followed, isOld, options), isOld ? [] : followed.approval?.ticket.warnings);
}

async function decideByForm(
  deps: PlacingDeps,
  intent: Intent,
  form: FormResponse,
  context: CallContext,
  options: PlaceOptions,
): Promise<PlaceReply> {
  const { runner, approvals } = deps;
  let isOld = Boolean(form.isRepeat);
  // An order with a page is decided on the page: opening the page, or not, decides nothing.
  if (methodFacts[intent.method].hostOpens === 'form') {
    if (form.action === 'decline') await approvals.declineForm(form.nonce);
    // The form was closed, or a host that cannot show forms responded automatically: the order waits until it
    // expires.
    if (form.action === 'cancel') {
      const closed = await approvals.noteForm(form.nonce, (record) => ({ sent: 1, ...record, last: 'closed' }));
      return reply(deps, closed ?? intent, isOld, {});
    }
    if (form.action === 'accept') {
      const { kind } = await approvals.confirm(form);
      if (kind === 'changed') return replyToWrongForm(deps, intent, form, options);
      // The order leaves because of this form, so the result must not say that nothing new was sent.
      if (kind === 'approved') isOld = false;
    }
  }
  const followed = await runner.follow(await runner.current(intent), context, options.progress);
  const { warnings } = followed.approval?.ticket ?? {};
  const result = withWarnings(await reply(deps, followed, isOld, {}), isOld ? [] : warnings);
  return form.isRepeat ? { ...result, coalesced: true } : result;
}

/** A person who typed another number is asked once more; a form that came back empty may be the host's own. */
async function replyToWrongForm(
  deps: PlacingDeps,
  intent: Intent,
  { nonce, confirmQuantity, isRepeat = false }: FormResponse,
  { canAsk }: PlaceOptions,
): Promise<PlaceReply> {
  const typed = readTyped(confirmQuantity);
  const problem =
    typed === undefined ? undefined : sayTyped(`typed ${typed}, the order is for ${intent.request.quantity}.`);
  const isAskedAgain = Boolean(canAsk) && problem !== undefined && (intent.approval?.form?.sent ?? 1) < maxForms;
  const noted = await deps.approvals.noteForm(nonce, (record = { sent: 1 }) =>
    isAskedAgain
      ? { ...withFormSent(record), problem: problem.toCaller }
      : { ...record, last: problem ? 'wrong' : 'empty', problem: problem?.toCaller },
  );
  const { ask, ...result } = await reply(deps, noted ?? intent, isRepeat, { canAsk: isAskedAgain });
  const said = problem?.toCaller ?? 'The form was returned without the quantity of the order.';
  return { ...result, message: `${result.message} ${said}`, ask: ask && { ...ask, problem: problem?.toPerson } };
}

/**
 * Once an intent exists, return its state whatever failed, because an error would invite the caller to retry and
 * place a second order.
 */
async function replyDespite(deps: PlacingDeps, intent: Intent, isOld: boolean, error: unknown): Promise<PlaceReply> {
  const { journal, clock, runner } = deps;
  const now = await runner.current(intent).catch(orElse('orders', intent));
  if (!isOld && now.method === 'none' && now.state === 'APPROVED') {
    const refused = refusedByStore(error, now.id);
    // Record the refusal that is returned, in case the store works again, so that a repeated order is not matched
    // to this intent.
    await journal
      .change((tx) => applyTransition(tx, now, 'refuse', clock.now(), { rule: refused.rule, reason: refused.reason }))
      .catch(orElse('orders', undefined));
    return refused;
  }
  log.fault('place an order', error);
  const outcome = toOutcome(now, clock.now());
  // The reason of its state is the better one: a refusal by a limit stays one, whatever failed after it.
  return { ...outcome, reason: outcome.reason ?? (error instanceof BrokerageError ? error.message : undefined) };
}

/**
 * The insert may have succeeded although the store reported a failure. Read in a write transaction, because by
 * then a pending insert has either committed or rolled back.
 */
async function replyAfterFailedInsert(deps: PlacingDeps, id: string, error: unknown): Promise<PlaceReply> {
  const refused = refusedByStore(error, id);
  const written = await deps.journal.change((tx) => tx.find(id)).catch(orElse('orders', undefined));
  return written ? replyDespite(deps, written, false, error) : refused;
}

// Places one leg of a draft, by the path of a single order.

/** The order of a leg. `repeatOf` names the intent that it repeats on purpose. */
export interface LegOrder {
  readonly request: OrderRequest;
  readonly instrument: TradableInstrument;
  readonly repeatOf: string | undefined;
  readonly turn: LegTurn;
}

/**
 * Creates the intent of a leg and sends it; returns the intent as it is then. It is an intent of another order when an
 * equal order exists, and then nothing was placed. Throws what `requireTurn` throws, and errors after which the journal
 * shows whether the leg has an intent.
 */
export async function placeLeg(
  deps: PlacingDeps,
  { request, instrument, repeatOf, turn }: LegOrder,
  context: CallContext,
): Promise<Intent> {
  const id = randomBytes(16).toString('hex');
  const wanted = { id, request, repeatOf, progress: undefined, leg: turn };
  const { intent, isOld, facts } = await createIntent(deps, wanted, instrument, context);
  const isReady = !isOld && facts !== undefined && intent.state === 'APPROVED';
  return isReady ? deps.runner.send(intent, facts, context) : intent;
}
