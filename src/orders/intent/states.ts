/**
 * The life of an intent as one table. What is not in the table does not happen: `nextState` throws,
 * because a state that nobody thought of must not be guessed where money is concerned.
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
  // `failBeforeSending`: the account could not even be read.
  DRAFT: { refuse: 'REFUSED', askHuman: 'AWAITING_APPROVAL', approve: 'APPROVED', failBeforeSending: 'NOT_SENT' },
  REFUSED: {},
  AWAITING_APPROVAL: { approve: 'APPROVED', decline: 'DECLINED', expire: 'EXPIRED' },
  DECLINED: {},
  EXPIRED: {},
  // `refuse`: the rules are asked again in the moment of sending, and may say no by then.
  APPROVED: { failBeforeSending: 'NOT_SENT', commit: 'SENDING', refuse: 'REFUSED', expire: 'EXPIRED' },
  // Nothing left this machine, so the same intent may try again while its approval lives.
  NOT_SENT: { tryAgain: 'APPROVED', expire: 'EXPIRED', refuse: 'REFUSED' },
  // `limit`: a refusal for the rate was read whole, so the order was not accepted. `notWritten`: the sender
  // itself found that it was too late to write a byte.
  SENDING: { accept: 'PLACED', reject: 'REJECTED', limit: 'NOT_SENT', notWritten: 'NOT_SENT', lose: 'UNKNOWN' },
  PLACED: {},
  REJECTED: {},
  // Never back to SENDING: a request whose answer was lost is not sent again, by nobody.
  // `learnRefusal`: the sender itself read a whole refusal after another process had given it up.
  UNKNOWN: {
    findOne: 'PLACED',
    findMany: 'AMBIGUOUS',
    findNothing: 'PROBABLY_ABSENT',
    learnRefusal: 'REJECTED',
    close: 'CLOSED',
  },
  // Only a human, on a channel that the model does not have, may end these two.
  AMBIGUOUS: { findOne: 'PLACED', close: 'CLOSED' },
  PROBABLY_ABSENT: { findOne: 'PLACED', close: 'CLOSED' },
  // Its own sender may still learn of an order that everybody had given up.
  CLOSED: { findOne: 'PLACED' },
};

export function nextState(state: IntentState, event: IntentEvent): IntentState {
  const next = transitions[state][event];
  if (!next) throw new Error(`An intent in ${state} cannot ${event}.`);
  return next;
}

/** What is not decided: it counts as placed in every limit, and the same order is not taken again meanwhile. */
export const openStates = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'SENDING',
  'UNKNOWN',
  'AMBIGUOUS',
  'PROBABLY_ABSENT',
] as const satisfies readonly IntentState[];

/** What a limit or a duplicate can be about: a human who was asked in vain counts for the pace. */
export const exposureStates = [
  ...openStates,
  'NOT_SENT',
  'PLACED',
  'REJECTED',
  'DECLINED',
  'EXPIRED',
] as const satisfies readonly IntentState[];

/** Ended here, and provably not sent. */
export const unsentStates = ['REFUSED', 'NOT_SENT'] as const satisfies readonly IntentState[];

/** Sent, and nobody knows what became of it. */
export const unknownStates = ['UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT'] as const satisfies readonly IntentState[];

export const isFinal = (state: IntentState): boolean => Object.keys(transitions[state]).length === 0;
