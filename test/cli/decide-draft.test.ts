/** What a person at the terminal decides about the orders of a draft. */
import { expect, test } from 'vitest';
import { decideDraft } from '../../src/cli/decide-draft.ts';
import type { Decision } from '../../src/core/orders/intent/approval-port.ts';
import { twoLegs, waitingDraft } from '../features/drafts/page/draft-ticket-support.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const sayMoment = (at: number) => `at ${at}`;
const prompt = 'Passphrase to approve all of them (press Enter to leave the draft waiting): ';

async function decide(typed: string, decision: Decision, view: typeof waitingDraft | undefined = waitingDraft) {
  const terminal = createTypedTty([typed]);
  const asked: unknown[] = [];
  const approve = async (answer: unknown) => {
    asked.push(answer);
    return decision;
  };
  return { ...terminal, isApproved: await decideDraft(terminal.tty, view, { approve }, sayMoment), asked };
}

test('the right passphrase approves exactly what was shown', async () => {
  const view = { ...waitingDraft, wrongPassphrases: { count: 3, lastAt: 99, locked: [] } };
  const { isApproved, asked, said, prompts } = await decide('right', { kind: 'approved' }, view);
  const { submissionId } = twoLegs;
  expect(asked).toEqual([{ submissionId, digest: 'digest-1', passphrase: 'right', channel: 'terminal', seen: 3 }]);
  expect([isApproved, prompts, said.at(-1)]).toEqual([true, [prompt], ['Approved.', 'good']]);
  expect(said[0]).toEqual(['=== LIVE · 2 ORDERS ===', 'bad']);
  expect(said[1]?.[0]).toContain('the last at 99');
});

test.each<[Decision, string]>([
  [{ kind: 'changed' }, 'The draft has changed since it was shown; check it again.'],
  [{ kind: 'not_waiting' }, 'The draft is no longer waiting for approval.'],
  [{ kind: 'rejected' }, 'Rejected.'],
  [{ kind: 'locked' }, 'The passphrase is locked here; run brokerage-mcp resume.'],
  [{ kind: 'not_enrolled' }, 'No passphrase is enrolled; run brokerage-mcp enroll.'],
])('%o approves nothing', async (decision, text) => {
  const { isApproved, lines } = await decide('typed', decision);
  expect([isApproved, lines.at(-1)]).toEqual([false, text]);
});

test('without a passphrase the draft stays waiting', async () => {
  const { isApproved, asked, lines } = await decide('', { kind: 'approved' });
  const text = 'The draft is still waiting. Reject it with: brokerage-mcp drafts discard ID';
  expect([isApproved, asked, lines.at(-1)]).toEqual([false, [], text]);
});

test('no passphrase is asked for a draft that does not wait any more', async () => {
  const { tty, lines, prompts } = createTypedTty(['typed']);
  const approve = async (): Promise<Decision> => ({ kind: 'approved' });
  expect(await decideDraft(tty, undefined, { approve }, sayMoment)).toBe(false);
  expect([lines, prompts]).toEqual([['The draft is not waiting for approval any more.'], []]);
});
