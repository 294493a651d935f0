/**
 * The states of an intent and the transitions between them. `nextState` throws for a transition that is not in the
 * table, because an unplanned state must not be guessed where money is concerned.
 */
export const intentStates = [
  'DRAFT',
  'REFUSED',
  'AWAITING_APPROVAL',
  'DECLINED',
  'EXPIRED',
  'APPROVED',
  'NOT_SENT',
  'SENDING',
  'PLACED',
  'REJECTED',
  'UNKNOWN',
  'AMBIGUOUS',
  'PROBABLY_ABSENT',
  'CLOSED',
] as const;
export type IntentState = (typeof intentStates)[number];

export const intentEvents = [
  'refuse',
  'askHuman',
  'decline',
  'expire',
  'stop',
  'approve',
  'failBeforeSending',
  'tryAgain',
  'commit',
  'accept',
  'reject',
  'limit',
  'lose',
  'findOne',
  'findMany',
  'findNothing',
  'learnRefusal',
  'notWritten',
  'close',
] as const;
export type IntentEvent = (typeof intentEvents)[number];

type Table = { readonly [State in IntentState]: { readonly [Event in IntentEvent]?: IntentState } };

export const transitions: Table = {
  // `failBeforeSending`: the account could not be read.
  DRAFT: { refuse: 'REFUSED', askHuman: 'AWAITING_APPROVAL', approve: 'APPROVED', failBeforeSending: 'NOT_SENT' },
  REFUSED: {},
  AWAITING_APPROVAL: { approve: 'APPROVED', decline: 'DECLINED', expire: 'EXPIRED' },
  DECLINED: {},
  EXPIRED: {},
  // `refuse`: the rules are checked again when the order is sent, and the result can differ. `stop`: the draft ended
  // while its leg waited for its turn.
  APPROVED: {
    failBeforeSending: 'NOT_SENT',
    commit: 'SENDING',
    refuse: 'REFUSED',
    expire: 'EXPIRED',
    stop: 'NOT_SENT',
  },
  // Nothing was sent, so the same intent may try again until its approval expires. `stop`: it no longer may.
  NOT_SENT: { tryAgain: 'APPROVED', expire: 'EXPIRED', stop: 'NOT_SENT' },
  // `limit`: a complete response refused the order because of the rate limit, so it was not accepted. `notWritten`:
  // the sender found that it was too late to write a byte.
  SENDING: { accept: 'PLACED', reject: 'REJECTED', limit: 'NOT_SENT', notWritten: 'NOT_SENT', lose: 'UNKNOWN' },
  PLACED: {},
  REJECTED: {},
  // Never back to SENDING: no process sends a request again whose response was lost. `learnRefusal`: the sender
  // read a complete refusal after another process had given the request up.
  UNKNOWN: {
    findOne: 'PLACED',
    findMany: 'AMBIGUOUS',
    findNothing: 'PROBABLY_ABSENT',
    learnRefusal: 'REJECTED',
    close: 'CLOSED',
  },
  // Only a human may close these two, through a channel that the model cannot reach.
  AMBIGUOUS: { findOne: 'PLACED', close: 'CLOSED' },
  PROBABLY_ABSENT: { findOne: 'PLACED', close: 'CLOSED' },
  // The sender may still learn that a closed order exists.
  CLOSED: { findOne: 'PLACED' },
};

/** Returns the state after an event. Throws when the table has no such transition. */
export function nextState(state: IntentState, event: IntentEvent): IntentState {
  const next = transitions[state][event];
  if (!next) throw new Error(`An intent in ${state} cannot ${event}.`);
  return next;
}

/**
 * Undecided. Such an intent counts as placed in every limit, and the same order is not accepted again until it is
 * decided.
 */
export const openStates = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'SENDING',
  'UNKNOWN',
  'AMBIGUOUS',
  'PROBABLY_ABSENT',
] as const satisfies readonly IntentState[];

/**
 * The states that limits and duplicates consider. An order that a human declined or ignored counts towards the
 * number of orders.
 */
export const exposureStates = [
  ...openStates,
  'NOT_SENT',
  'PLACED',
  'REJECTED',
  'DECLINED',
  'EXPIRED',
] as const satisfies readonly IntentState[];

/** Every state. */
export const allStates = Object.keys(transitions) as readonly IntentState[];

/** Ended in this server, and provably not sent. */
export const unsentStates = ['REFUSED', 'NOT_SENT'] as const satisfies readonly IntentState[];

/** Sent with unknown result. */
export const unknownStates = ['UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT'] as const satisfies readonly IntentState[];

/** Whether a state has no further transition. */
export const isFinal = (state: IntentState): boolean => Object.keys(transitions[state]).length === 0;
