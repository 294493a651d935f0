/** Tickets in a terminal and in the forms of hosts: the facts of the page as lines of text. */

import { lockingPlaces } from '../orders/intent/approval-methods.ts';
import type {
  PasskeyRefusal,
  PassphraseRefusal,
  TicketView,
  WrongPassphrases,
} from '../orders/intent/approval-port.ts';
import type { LegTicket } from '../orders/intent/draft-approval.ts';
import type { SayMoment } from '../text/format-moment.ts';
import { removeUnseen, sanitizeText } from '../text/sanitize-text.ts';
import {
  balanceFacts,
  costFacts,
  type Fact,
  identityFacts,
  joinNote,
  listWarnings,
  orderFacts,
  writeOrder,
  writePlace,
  writeValue,
} from './ticket-facts.ts';

/** Maximum characters of a form's message; hosts cut longer ones. */
export const maxFormLength = 1_000;

/** The message of a form, a fact on each line. No text from outside can begin a line of its own. */
export function writeForm(lines: readonly string[]): string {
  const text = lines.flatMap((line) => sanitizeText(line, maxFormLength) ?? []).join('\n');
  const characters = [...text];
  return characters.length > maxFormLength ? `${characters.slice(0, maxFormLength - 1).join('')}…` : text;
}

/** A fact as text: with a colon for a form, in columns for a terminal. */
export const writeFact = (fact: Fact): string => `${fact.label}: ${writeValue(joinNote(fact))}`;
export const writeRow = (fact: Fact): string => `  ${fact.label.padEnd(22)} ${writeValue(joinNote(fact))}`;

/** A line of a terminal that is no fact of the order. */
export const textRow = (label: string, text: string): string => writeRow({ label, value: [text] });

/** The orders that are pending on the ticker, a line each, and how many more there are. */
export const pendingFacts = ({ pendingOnTicker, morePending }: LegTicket): readonly Fact[] => [
  ...pendingOnTicker.map(({ side, quantity, type, limitPrice, stopPrice }) => ({
    label: 'Pending',
    value: [[side, quantity, type, limitPrice, stopPrice].filter(Boolean).join(' ')],
  })),
  ...(morePending === undefined ? [] : [{ label: 'Pending', value: [`and ${morePending} more`] }]),
];

/** What the owner must know before typing the passphrase again. */
export function wrongPassphrasesText({ count, lastAt, locked }: WrongPassphrases, sayMoment: SayMoment): string {
  const typed = count === 1 ? '1 wrong passphrase was' : `${count} wrong passphrases were`;
  const attempts = count === 0 ? '' : `${typed} typed since you last approved, the last ${sayMoment(lastAt)}. `;
  const places = locked
    .map(
      (channel) =>
        `The ${lockingPlaces[channel]} is locked; entering the correct passphrase in a terminal unlocks it. `,
    )
    .join('');
  return `ATTENTION: ${attempts}${places}If that was not you, find out who has access.`;
}

/** Why a passphrase did not approve or unlock anything. A terminal asks for no passkey. */
export function passphraseRefusalText(refusal: PassphraseRefusal | PasskeyRefusal): string {
  switch (refusal.kind) {
    case 'wrong_passphrase':
      return `Wrong passphrase; the next attempt is possible in ${refusal.retryAfterSeconds} s.`;
    case 'too_soon':
      return `Too soon after a wrong passphrase; try again in ${refusal.retryAfterSeconds} s.`;
    case 'locked':
      return 'The passphrase is locked here; run brokerage-mcp resume.';
    case 'not_enrolled':
      return 'No passphrase is enrolled; run brokerage-mcp enroll.';
    case 'passkey_refused':
      return 'The passkey was refused.';
  }
}

/** The ticket as text, with the facts of the page, a banner of the environment and without invisible characters. */
export function ticketText({ ticket, secondsLeft, wrongPassphrases }: TicketView, sayMoment: SayMoment): string {
  const banner = `${writePlace(ticket)}${ticket.isRepetition ? ' · SECOND IDENTICAL ORDER' : ''}`;
  const lines = [
    `=== ${banner} ===`,
    ...(wrongPassphrases ? [wrongPassphrasesText(wrongPassphrases, sayMoment)] : []),
    textRow('Order', writeOrder(ticket.order, ticket.instrument)),
    ...[...orderFacts(ticket), ...costFacts(ticket), ...balanceFacts(ticket), ...pendingFacts(ticket)].map(writeRow),
    ...listWarnings(ticket).map((warning) => textRow('Note', warning)),
    textRow('Time left', `${secondsLeft} s`),
    textRow('Intent', ticket.intentId),
    ...identityFacts(ticket).map(writeRow),
  ];
  return lines.map(removeUnseen).join('\n');
}
