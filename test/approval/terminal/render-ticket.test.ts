/** An order that waits for approval, in a terminal. */
import { expect, test } from 'vitest';
import { ticketText, wrongPassphrasesText } from '../../../src/approval/terminal/render-ticket.ts';
import { limitBuy, marketSell, viewOf } from '../page/support.ts';

const sayMoment = (at: number) => `at ${at}`;
const alarm = 'If that was not you, find out who has access.';
const locked = 'The approval page is locked; entering the correct passphrase in a terminal unlocks it. ';

test.each<[number, boolean, string]>([
  [1, false, '1 wrong passphrase was typed since you last approved, the last at 99. '],
  [2, false, '2 wrong passphrases were typed since you last approved, the last at 99. '],
  [0, true, locked],
  [3, true, `3 wrong passphrases were typed since you last approved, the last at 99. ${locked}`],
])('%i wrong passphrases, with the page locked: %s', (count, isPageLocked, said) => {
  expect(wrongPassphrasesText({ count, lastAt: 99, isPageLocked }, sayMoment)).toBe(`ATTENTION: ${said}${alarm}`);
});

test.each([
  [limitBuy, {}, ['  Estimate     890.63 GBP']],
  [limitBuy, { value: undefined }, ['  Estimate     VALUE UNKNOWN']],
  [limitBuy, { currency: undefined }, ['  Estimate     890.63']],
  [marketSell, {}, []],
])('the estimate of a buy has its currency, and a sell has none: %#', (ticket, change, expected) => {
  const view = viewOf({ ...ticket, estimate: { ...ticket.estimate, ...change } });
  const lines = ticketText(view, sayMoment).split('\n');
  expect(lines.filter((line) => line.startsWith('  Estimate'))).toEqual(expected);
});

test('the ticket has its banner, position, time and intent', () => {
  const lines = ticketText(viewOf({ ...limitBuy, isRepetition: true }), sayMoment).split('\n');
  expect(lines[0]).toBe('=== LIVE · SECOND IDENTICAL ORDER ===');
  for (const line of ['  Position     400 → 1650', '  Time left    118 s', '  Intent       intent-1'])
    expect(lines).toContain(line);
});
