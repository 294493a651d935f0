/** Which attempt to send a draft, and which of its orders, another one repeats. */
import { BrokerageError } from '../../../core/errors.ts';
import { orderFingerprint } from '../../../core/orders/intent/order-request.ts';
import type { DraftPlace } from '../book/find-draft.ts';
import type { DraftFacts } from './draft-facts.ts';
import { readLegs } from './end-submission.ts';
import { isUnsent, isUnsentIntent } from './next-step.ts';
import type { SubmissionChange, SubmissionView } from './ports.ts';
import { isOpenSubmission } from './submission.ts';

/** Whether a leg of the attempt may have been sent. */
export const hasSent = async (tx: SubmissionView, id: string, now: number): Promise<boolean> =>
  (await readLegs(tx, id)).some((leg) => !isUnsent(leg, now));

/** The intents that the legs repeat, by the number of the leg. Throws `invalid_argument` for a wrong `repeatOf`. */
export async function readRepeats(
  tx: SubmissionChange,
  place: DraftPlace,
  repeatOf: string | undefined,
  { legs }: DraftFacts,
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const repeats = new Map<number, string>();
  if (repeatOf === undefined) return repeats;
  const first = await tx.findSubmission(repeatOf);
  const isOwn = first?.accountKey === place.accountKey && first.environment === place.environment;
  if (!isOwn || isOpenSubmission(first) || (await isRepeated(tx, repeatOf, now)))
    throw new BrokerageError(
      'invalid_argument',
      'repeatOf does not name a submission of this account that has ended and was not repeated before.',
      'Use the submissionId of the report of that submission, or submit without it.',
    );
  const placed = (await readLegs(tx, repeatOf)).flatMap(({ intent }) => (intent?.state === 'PLACED' ? [intent] : []));
  for (const { number, order } of legs) {
    const fingerprint = orderFingerprint(order, place);
    const equal = placed.find((intent) => intent.fingerprint === fingerprint);
    if (equal) repeats.set(number, await findLastRepetition(tx, equal.id, now));
  }
  return repeats;
}

/**
 * Whether a repetition of an attempt sent something; an open one was refused before. One that sent nothing no longer
 * names the attempt, so that the database accepts another.
 */
async function isRepeated(tx: SubmissionChange, repeatOf: string, now: number): Promise<boolean> {
  for (const attempt of await tx.listSubmissions({ repeatOf })) {
    if (await hasSent(tx, attempt.id, now)) return true;
    await tx.releaseRepetition(attempt.id);
  }
  return false;
}

/** More attempts than a person is asked to approve. */
const maxRepetitions = 100;

/** An order whose repetition was not sent is repeated by repeating that repetition: each intent has one at most. */
async function findLastRepetition(tx: SubmissionView, intentId: string, now: number): Promise<string> {
  let last = intentId;
  for (let count = 0; count < maxRepetitions; count++) {
    const [next] = await tx.list({ repeatOf: last, limit: 1 });
    if (!next || !isUnsentIntent(next, now)) break;
    last = next.id;
  }
  return last;
}
