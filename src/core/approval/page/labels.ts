/** The texts of the page: states, decisions, and names, written for the person who decides. */

import { lockingPlaces } from '../../orders/intent/approval-methods.ts';
import type {
  PasskeyProblem,
  PasskeyRefusal,
  PassphraseRefusal,
  WrongPassphrases,
} from '../../orders/intent/approval-port.ts';
import type { IntentState } from '../../orders/intent/states.ts';
import { getMachineZone } from '../../text/dates.ts';
import { formatMoment } from '../../text/format-moment.ts';

export type AlertLevel = 'good' | 'bad' | 'wait' | 'care';

export const stateLabels: Record<IntentState, { readonly title: string; readonly tone: AlertLevel }> = {
  DRAFT: { title: 'Being prepared', tone: 'wait' },
  REFUSED: { title: 'Refused by a rule', tone: 'bad' },
  AWAITING_APPROVAL: { title: 'Expired', tone: 'wait' },
  DECLINED: { title: 'Rejected', tone: 'bad' },
  EXPIRED: { title: 'Expired', tone: 'bad' },
  APPROVED: { title: 'Approved', tone: 'wait' },
  NOT_SENT: { title: 'Not sent', tone: 'wait' },
  SENDING: { title: 'Being sent', tone: 'wait' },
  PLACED: { title: 'Placed', tone: 'good' },
  REJECTED: { title: 'Rejected by the broker', tone: 'bad' },
  UNKNOWN: { title: 'Unknown: the order may be live', tone: 'care' },
  AMBIGUOUS: { title: 'Unclear: the order may be live', tone: 'care' },
  PROBABLY_ABSENT: { title: 'Probably not placed', tone: 'care' },
  CLOSED: { title: 'Closed', tone: 'wait' },
};

export interface Alert {
  readonly status: number;
  readonly title: string;
  readonly next: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** What the owner must know before typing a passphrase. */
export function describeWrongPassphrases({ count, lastAt, locked }: WrongPassphrases): string {
  const typed = count === 1 ? '1 wrong passphrase' : `${count} wrong passphrases`;
  const attempts = count === 0 ? '' : `${typed} since you last approved, the last on ${toTime(lastAt)}. `;
  const places = locked
    .map((channel) => (channel === 'page' ? 'This page is locked. ' : `The ${lockingPlaces[channel]} is locked. `))
    .join('');
  return `${attempts}${places}If that was not you, find out who has access.`;
}

/** The terminal never locks. */
const getUnlockHint = (command: string, what: string): string =>
  `Run “brokerage-mcp ${command}” in a terminal: entering the correct passphrase there approves ${what} and unlocks this page.`;

export const orderUnlockHint = getUnlockHint('approve', 'the order');
export const draftUnlockHint = (draftId: string): string => getUnlockHint(`drafts submit ${draftId}`, 'the orders');

/** The message for a passphrase that was not accepted. The ticket stays on the screen with it. */
export function alertFor(decision: PassphraseRefusal, unlockHint: string): Alert {
  switch (decision.kind) {
    case 'wrong_passphrase': {
      const { attemptsLeft, retryAfterSeconds } = decision;
      const left = attemptsLeft === 1 ? 'One attempt is left' : `${attemptsLeft ?? 'More'} attempts are left`;
      const wait = retryAfterSeconds > 0 ? ` Wait ${seconds(retryAfterSeconds)} before the next one.` : '';
      return { status: 403, title: 'The passphrase is wrong.', next: `${left}.${wait}`, retryAfterSeconds };
    }
    case 'too_soon':
      return {
        status: 429,
        title: 'This attempt came too soon after the last one; it was not checked.',
        next: `Wait ${seconds(decision.retryAfterSeconds)}, then type the passphrase again.`,
        retryAfterSeconds: decision.retryAfterSeconds,
      };
    case 'locked':
      return {
        status: 403,
        title: 'This page is locked: too many wrong passphrases.',
        next: `${unlockHint} You can still reject.`,
      };
    case 'not_enrolled':
      return {
        status: 403,
        title: 'No passphrase is enrolled yet.',
        next: 'Run “brokerage-mcp enroll” in a terminal, then come back to this page.',
      };
  }
}

/** What to do otherwise: the other ways are at the machine. */
const atTheMachine = 'Approve in a terminal or a browser of the server’s machine, or reject.';

const passkeyProblems: Record<PasskeyProblem, readonly [title: string, next: string]> = {
  malformed: ['The response of the passkey cannot be read.', `Try again with another browser. ${atTheMachine}`],
  not_asked: [
    'This response of the passkey was used already, or is too old.',
    'Check the order again, and use the passkey again.',
  ],
  challenge: ['The passkey signed something else than this.', 'Check the order again, and use the passkey again.'],
  origin: ['The passkey was used on another page.', 'Open the address that your assistant or the terminal shows.'],
  relying_party: ['The passkey is for another name.', 'Open the address that your assistant or the terminal shows.'],
  user_verification: [
    'The device did not check that it is you.',
    `Use a passkey with a fingerprint, a face or a PIN. ${atTheMachine}`,
  ],
  unknown: [
    'This passkey is not enrolled here.',
    `Add it with “brokerage-mcp passkey add” in a terminal. ${atTheMachine}`,
  ],
  counter: [
    'This passkey has counted fewer uses than before, so a copy of it may exist.',
    `Remove it with “brokerage-mcp passkey remove” in a terminal. ${atTheMachine}`,
  ],
  signature: ['The signature of the passkey is wrong.', atTheMachine],
};

/** The message for a passkey that was not accepted. */
export function passkeyAlert({ problem }: PasskeyRefusal): Alert {
  const [title, next] = passkeyProblems[problem];
  return { status: 403, title, next };
}

export const passkeyRequired: Alert = {
  status: 403,
  title: 'No passkey was used.',
  next: 'Here your passkey approves. Press the button again with scripts switched on, or reject.',
};

export const passphraseRequired: Alert = {
  status: 403,
  title: 'No passphrase was entered.',
  next: 'Type the passphrase to approve, or reject.',
};

/** Messages after a redirect, for a decision that had no effect. */
export const flashMessages = {
  changed: {
    status: 200,
    title: 'The ticket changed while you were viewing it; nothing was approved.',
    next: 'This is the current ticket: check it again.',
  },
  late: {
    status: 200,
    title: 'It was no longer waiting: your decision changed nothing.',
    next: 'Its current state is shown below.',
  },
  all_placed: {
    status: 200,
    title: 'All orders had been placed before you pressed Stop.',
    next: 'They stay. Cancel what you do not want at your broker.',
  },
} as const satisfies Record<string, Alert>;

export type FlashName = keyof typeof flashMessages;

/** A time (ms) to the minute, in the zone of this machine: as said at the time `now`, or without it with the full date. */
export const toTime = (at: number, now = 0): string => formatMoment(at, now, getMachineZone());

export const seconds = (count: number): string => (count === 1 ? '1 second' : `${Math.ceil(count)} seconds`);
