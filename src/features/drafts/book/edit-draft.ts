/** The edits that a person makes to a draft. Each makes the draft smaller or stricter, so none needs the passphrase. */
import Big from 'big.js';
import { countDecimals, toDecimalString } from '../../../core/endpoints/decimal.ts';
import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import type { DraftDeps, DraftEdit, DraftLeg } from './draft.ts';
import { findOpenDraft, getPlace, requireVersion } from './find-draft.ts';
import { checkLegs, wrongLeg } from './legs.ts';
import { addVersion, type SavedDraft, toSaved } from './save-draft.ts';

/** An edit of the version that the person saw, and the channel through which the person made it. */
export interface RequestedEdit {
  readonly draftId: string;
  readonly version: number;
  readonly edit: DraftEdit;
  readonly channel: 'page' | 'terminal';
}

/**
 * Makes the next version of a draft. Throws `invalid_argument` for an edit that raises a quantity, makes a price less
 * strict, leaves no leg or makes two legs equal, and `not_found`, `draft_changed`, `draft_closed` and `draft_expired`.
 */
export async function editDraft(
  deps: DraftDeps,
  { draftId, version, edit, channel }: RequestedEdit,
): Promise<SavedDraft> {
  const place = await getPlace(deps);
  return deps.store.change(async (tx) => {
    const now = deps.clock.now();
    const { draft, latest } = await findOpenDraft(tx, place, draftId, now);
    requireVersion(draft, version);
    const next = { ...draft, version: draft.version + 1 };
    await addVersion(tx, next, { channel, edit, legs: checkLegs(applyEdit(latest.legs, edit)) }, now);
    return toSaved(next);
  });
}

/** The legs after an edit. Throws `invalid_argument` for an edit that a person may not make. */
export function applyEdit(legs: readonly DraftLeg[], edit: DraftEdit): readonly DraftLeg[] {
  const leg = legs[edit.leg - 1];
  if (!leg) throw wrongLeg(edit.leg, 'does not exist', `The draft has legs 1 to ${legs.length}.`);
  if (edit.kind === 'remove') {
    if (legs.length === 1) throw wrongLeg(edit.leg, 'is the only leg', 'Discard the draft instead.');
    return legs.filter((other) => other !== leg);
  }
  const edited = edit.kind === 'quantity' ? lowerQuantity(leg, edit) : tightenPrice(leg, edit);
  return legs.map((other) => (other === leg ? edited : other));
}

function lowerQuantity(leg: DraftLeg, edit: DraftEdit & { kind: 'quantity' }): DraftLeg {
  const quantity = parseAmount(edit.quantity, edit.leg);
  if (new Big(quantity).lt(leg.quantity)) return { ...leg, quantity };
  throw wrongLeg(
    edit.leg,
    `is for ${countOf(leg.quantity, 'share')} and can only be made smaller`,
    'Give a lower quantity.',
  );
}

function tightenPrice(leg: DraftLeg, edit: DraftEdit & { kind: 'limitPrice' }): DraftLeg {
  const limitPrice = parseAmount(edit.limitPrice, edit.leg);
  if (leg.limitPrice === undefined)
    throw wrongLeg(
      edit.leg,
      `is a ${formatConstant(leg.type).toLowerCase()} order without a limit price`,
      'Edit its quantity, or remove it.',
    );
  const isBuy = leg.side === 'BUY';
  if (isBuy ? new Big(limitPrice).lt(leg.limitPrice) : new Big(limitPrice).gt(leg.limitPrice))
    return { ...leg, limitPrice };
  throw wrongLeg(
    edit.leg,
    `has the limit price ${leg.limitPrice}, which can only be made stricter`,
    `Give a ${isBuy ? 'lower' : 'higher'} limit price.`,
  );
}

/** As many decimals as an argument of an order may have. */
const maxDecimals = 10;

function parseAmount(given: string, leg: number): string {
  const exact = toDecimalString(given);
  if (exact !== undefined && new Big(exact).gt(0) && countDecimals(exact) <= maxDecimals) return exact;
  const isTooExact = exact !== undefined && new Big(exact).gt(0);
  throw wrongLeg(
    leg,
    isTooExact
      ? `was given a value with more than ${maxDecimals} decimals`
      : 'was given a value that is not a number above 0',
    `Write it with digits and a point, such as 30.5, without a comma and with at most ${maxDecimals} decimals.`,
  );
}
