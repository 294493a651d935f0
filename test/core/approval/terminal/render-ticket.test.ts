/** An order that waits for approval, in a terminal. */
import { expect, test } from 'vitest';
import { passphraseRefusalText, ticketText, wrongPassphrasesText } from '../../../../src/core/approval/ticket-text.ts';
import type { LockingChannel } from '../../../../src/core/orders/intent/approval-methods.ts';
import type { PassphraseRefusal } from '../../../../src/core/orders/intent/approval-port.ts';
import { limitBuy, marketSell, viewOf } from '../page/support.ts';

const sayMoment = (at: number) => `at ${at}`;
const alarm = 'If that was not you, find out who has access.';
const pageLocked = 'The approval page is locked; entering the correct passphrase in a terminal unlocks it. ';

test.each<[number, LockingChannel[], string]>([
  [1, [], '1 wrong passphrase was typed since you last approved, the last at 99. '],
  [2, [], '2 wrong passphrases were typed since you last approved, the last at 99. '],
  [0, ['page'], pageLocked],
  [3, ['page'], `3 wrong passphrases were typed since you last approved, the last at 99. ${pageLocked}`],
  [0, ['page', 'web'], pageLocked + pageLocked.replace('approval page', 'login page on the web')],
])('%i wrong passphrases, with %j locked', (count, locked, said) => {
  expect(wrongPassphrasesText({ count, lastAt: 99, locked }, sayMoment)).toBe(`ATTENTION: ${said}${alarm}`);
});

/** A line of a terminal: the label, and the value in a column of its own. */
const row = (label: string, value: string) => `  ${label.padEnd(22)} ${value}`;

test.each([
  [limitBuy, {}, [row('Estimated cost', '890.63 GBP')]],
  [limitBuy, { value: undefined }, [row('Estimated cost', 'VALUE UNKNOWN')]],
  [limitBuy, { currency: undefined }, [row('Estimated cost', '890.63 in the account’s currency')]],
  [marketSell, {}, [row('Estimated proceeds', '512.40 GBP, at the last price')]],
])('the estimate has its currency: %#', (ticket, change, expected) => {
  const view = viewOf({ ...ticket, estimate: { ...ticket.estimate, ...change } });
  const lines = ticketText(view, sayMoment).split('\n');
  expect(lines.filter((line) => line.startsWith('  Estimated'))).toEqual(expected);
});

test('the ticket has its banner, position, time and intent', () => {
  const lines = ticketText(viewOf({ ...limitBuy, isRepetition: true }), sayMoment).split('\n');
  expect(lines[0]).toBe('=== LIVE · SECOND IDENTICAL ORDER ===');
  for (const line of [
    row('Order', 'BUY 1250 × Brambleford Group plc, QBRAMl_EQ'),
    row('Position', '400 → 1650'),
    row('Time left', '118 s'),
    row('Intent', 'intent-1'),
  ])
    expect(lines).toContain(line);
});

test('the lines of a ticket are its order, cash, position, warnings, time and intent, and the instrument comes last', () => {
  const warned = { ...limitBuy, warnings: ['FIRST', 'SECOND'] };
  const names = ticketText(viewOf(warned), sayMoment)
    .split('\n')
    .map((line) => line.slice(0, 24).trim());
  expect(names[0]).toBe('=== LIVE ===');
  expect(names.slice(1)).toEqual([
    ...['Order', 'Type', 'Limit price', 'Worst case', 'Valid'],
    ...['Estimated cost', 'Of the account', 'Last price', 'Cash after', 'Position'],
    ...['Pending', 'Pending', 'Note', 'Note', 'Time left', 'Intent'],
    ...['ISIN', 'Kind', 'Currency'],
  ]);
});

test('wrong passphrases are told of before the ticket, and without any there is no alarm', () => {
  const wrongPassphrases = { count: 2, lastAt: 99, locked: [] };
  const lines = ticketText(viewOf(limitBuy, { wrongPassphrases }), sayMoment).split('\n');
  expect(lines[1]).toBe(`ATTENTION: 2 wrong passphrases were typed since you last approved, the last at 99. ${alarm}`);
  expect(ticketText(viewOf(limitBuy), sayMoment)).not.toContain('ATTENTION');
});

test.each<[PassphraseRefusal, string]>([
  [
    { kind: 'wrong_passphrase', attemptsLeft: 2, retryAfterSeconds: 4 },
    'Wrong passphrase; the next attempt is possible in 4 s.',
  ],
  [{ kind: 'too_soon', retryAfterSeconds: 3 }, 'Too soon after a wrong passphrase; try again in 3 s.'],
  [{ kind: 'locked' }, 'The passphrase is locked here; run brokerage-mcp resume.'],
  [{ kind: 'not_enrolled' }, 'No passphrase is enrolled; run brokerage-mcp enroll.'],
])('a passphrase refused with %o says why, and what to do', (refusal, text) => {
  expect(passphraseRefusalText(refusal)).toBe(text);
});
