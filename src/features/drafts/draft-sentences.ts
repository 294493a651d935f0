/** What became of a draft, in words for a person, as core/text/outcome-sentences.ts has them for an order. */
import type { SubmissionOutcome } from './submission/submission.ts';

export const draftTitles: Readonly<Record<SubmissionOutcome, string>> = {
  pending_approval: 'Waiting for approval',
  declined: 'Not approved',
  expired: 'Expired',
  refused: 'Refused by a rule',
  sending: 'Being sent',
  waiting_for_fills: 'Being sent',
  done: 'Sent',
  stopped: 'Stopped',
};

export const draftSentences: Readonly<Record<SubmissionOutcome, string>> = {
  pending_approval: 'Nothing has been sent. The orders are sent when you approve the draft.',
  declined: 'The draft was not approved; nothing was sent.',
  expired: 'The draft was not approved in time; nothing was sent.',
  refused: 'A rule of this server refused the draft; nothing was sent.',
  sending: 'The orders are sent one after the other.',
  waiting_for_fills: 'The remaining buys wait for the fills of the sells, which pay for them.',
  done: 'The broker accepted every order.',
  stopped: 'Orders that had not left were not sent. Orders that were placed stay.',
};
