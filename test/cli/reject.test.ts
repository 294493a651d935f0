/** Which order `reject` rejects, whom it asks before, and what it prints for a log. */
import { expect, test } from 'vitest';
import { rejectOrder } from '../../src/cli/approve.ts';
import type { Approvals, Decision, Ticket } from '../../src/core/orders/intent/approval-port.ts';
import { limitBuy, marketSell, viewOf } from '../core/approval/page/support.ts';
import { testTerminal } from '../support/command.ts';
import { createTypedTty } from '../support/typed-tty.ts';

async function reject(
  intentId: string | undefined,
  {
    flags = {},
    typed,
    ticket = limitBuy,
    decision = { kind: 'rejected' },
  }: Partial<{
    flags: Record<string, string>;
    /** The lines at the terminal; none without one. */
    typed: readonly string[];
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
  const terminal = testTerminal({ print: (line) => void printed.push(line) });
  const at = createTypedTty(typed ?? []);
  let closed = 0;
  const tty = { ...at.tty, close: () => void closed++ };
  const words = intentId === undefined ? [] : [intentId];
  const code = await rejectOrder(approvals, { words, flags }, terminal, () => (typed ? tty : undefined));
  return { code, printed, asked, said: at.said, prompts: at.prompts, closed };
}

const rejectedBuy = [
  'Rejected: BUY 1250 × QBRAMl_EQ LIMIT limit 71.25 GBX at worst 908.44 GOOD_TILL_CANCEL (live, intent-1)',
];

test.each([
  ['intent-1', {}],
  ['intent-1', { yes: 'true' }],
  [undefined, { yes: 'true' }],
])('without a terminal, the order %s is rejected with the flags %j', async (intentId, flags) => {
  const { code, asked } = await reject(intentId, { flags });
  expect([code, asked]).toEqual([0, [{ intentId: 'intent-1', channel: 'terminal' }]]);
});

test('without a terminal, a name and --yes, nothing is rejected', async () => {
  await expect(reject(undefined)).rejects.toThrow('reject needs the intent of the order, or --yes for the only one.');
});

test('the rejected order is one line with its terms', async () => {
  expect((await reject('intent-1')).printed).toEqual(rejectedBuy);
  const { printed } = await reject('intent-1', { ticket: { ...marketSell, environment: 'demo' } });
  expect(printed[0]).toMatch(/^Rejected: SELL 3 × AAPL_US_EQ MARKET.*\(demo, intent-1\)$/);
});

test.each<[Decision, string]>([
  [{ kind: 'not_waiting', state: 'PLACED' }, 'The order is no longer waiting for approval (Placed).'],
  [{ kind: 'approved' }, 'Approved.'],
])('a decision of %o is no rejection', async (decision, line) => {
  expect(await reject('intent-1', { decision })).toMatchObject({ code: 1, printed: [line] });
});

const prompt = 'Reject this order? [y/N] ';

test.each([
  ['intent-1', 'n'],
  [undefined, ''],
])('at a terminal the order %s is shown, and stays after the reply “%s”', async (intentId, reply) => {
  const { code, printed, asked, said, prompts, closed } = await reject(intentId, { typed: [reply] });
  expect([code, printed, asked, prompts, closed]).toEqual([1, ['The order is still pending.'], [], [prompt], 1]);
  expect(said[0]).toEqual(['=== LIVE ===', 'bad']);
  const [shown, tone] = said[1] ?? [];
  expect(shown?.split('\n')[0]).toMatch(/^ {2}Order +BUY 1250 × Brambleford Group plc, QBRAMl_EQ$/);
  expect(tone).toBeUndefined();
});

test('at a terminal the order is rejected after a yes, and without a question with --yes', async () => {
  const confirmed = await reject(undefined, { typed: ['y'] });
  expect(confirmed).toMatchObject({ code: 0, printed: rejectedBuy, prompts: [prompt], closed: 1 });
  expect(confirmed.asked).toEqual([{ intentId: 'intent-1', channel: 'terminal' }]);
  const agreed = await reject(undefined, { typed: ['n'], flags: { yes: 'true' } });
  expect(agreed).toMatchObject({ code: 0, printed: rejectedBuy, prompts: [], said: [] });
});

test('the banner of an order of paper money is no alarm', async () => {
  const { said } = await reject('intent-1', { typed: ['n'], ticket: { ...limitBuy, environment: 'demo' } });
  expect(said[0]).toEqual(['=== DEMO ===', 'strong']);
});
