/** What became of a draft, in words for a person: no word may promise more than is known. */
import { expect, test } from 'vitest';
import { draftSentences, draftTitles } from '../../../src/features/drafts/draft-sentences.ts';
import type { SubmissionOutcome } from '../../../src/features/drafts/submission/submission.ts';

test.each<[SubmissionOutcome, string, RegExp]>([
  ['pending_approval', 'Waiting for approval', /^Nothing has been sent\. /],
  ['declined', 'Not approved', /not approved; nothing was sent\.$/],
  ['expired', 'Expired', /not approved in time; nothing was sent\.$/],
  ['refused', 'Refused by a rule', /this server refused the draft; nothing was sent\.$/],
  ['sending', 'Being sent', /^The orders are sent one after the other\.$/],
  ['waiting_for_fills', 'Being sent', /^The remaining buys wait for the fills of the sells/],
  ['done', 'Sent', /^The broker accepted every order\.$/],
  ['stopped', 'Stopped', /that had not left were not sent\. .* placed stay\.$/],
])('a draft that is %s is called “%s”', (outcome, title, sentence) => {
  expect(draftTitles[outcome]).toBe(title);
  expect(draftSentences[outcome]).toMatch(sentence);
});
