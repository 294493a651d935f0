/** Which order `reject` rejects where nobody can be asked, and what it prints for a log. */
import { expect, test } from 'vitest';
import { rejectOrder } from '../../src/cli/reject.ts';
import type { Approvals, Decision, Ticket } from '../../src/orders/intent/approval-port.ts';
import { limitBuy, marketSell, viewOf } from '../approval/page/support.ts';
import { testTerminal } from '../support/command.ts';

async function reject(
  intentId: string | undefined,
  {
    isAgreed = false,
    ticket = limitBuy,
    decision = { kind: 'rejected' },
  }: Partial<{
    isAgreed: boolean;
    ticket: Ticket;
    decision: Decision;
  }> = {},
) {
  const printed: string[] = [];
  const asked: unknown[] = [];
  const view = viewOf(ticket);
  const approvals = {
    view: async () => view,
    waiting: async () => [view],
    reject: async (answer: unknown) => {
      asked.push(answer);
      return decision;
    },
  } as unknown as Approvals;
  // The terminal of this platform is on no machine that runs the tests.
  const terminal = testTerminal({ platform: 'win32', print: (line) => void printed.push(line) });
  const code = await rejectOrder(approvals, intentId, isAgreed, terminal);
  return { code, printed, asked };
}

const rejectedBuy = ['Rejected: BUY 1250 × QBRAMl_EQ, LIMIT, limit price 71.25 GBX (pence) (live, intent-1)'];

test.each([
  ['intent-1', false],
  ['intent-1', true],
  [undefined, true],
])('without a terminal, the order %s is rejected with --yes: %s', async (intentId, isAgreed) => {
  const { code, asked } = await reject(intentId, { isAgreed });
  expect([code, asked]).toEqual([0, [{ intentId: 'intent-1', channel: 'terminal' }]]);
});

test('without a terminal, a name and --yes, nothing is rejected', async () => {
  await expect(reject(undefined)).rejects.toThrow('reject needs the intent of the order, or --yes for the only one.');
});

test('the rejected order is one line with its terms', async () => {
  expect((await reject('intent-1')).printed).toEqual(rejectedBuy);
  const { printed } = await reject('intent-1', { ticket: { ...marketSell, environment: 'demo' } });
  expect(printed[0]).toMatch(/^Rejected: SELL 3 × AAPL_US_EQ, MARKET.*\(demo, intent-1\)$/);
});

test.each<[Decision, string]>([
  [{ kind: 'not_waiting', state: 'PLACED' }, 'The order is no longer waiting for approval (PLACED).'],
  [{ kind: 'approved' }, 'Approved.'],
])('a decision of %o is no rejection', async (decision, line) => {
  expect(await reject('intent-1', { decision })).toMatchObject({ code: 1, printed: [line] });
});
