/** What corporate actions are taken to be, as sentences. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { describeAssumptions } from '../../../src/features/gains/assumptions.ts';
import type { ActionEffect, CorporateAction } from '../../../src/features/gains/holding-events.ts';
import { at, action as row } from './trades.ts';

function action(effect: ActionEffect, fields: Partial<CorporateAction> = {}): CorporateAction {
  const type = fields.type ?? 'TYPE';
  return {
    trade: row('2024-03-01', type, 5, 0),
    at: at('2024-03-01'),
    ticker: 'A',
    type,
    effect,
    quantity: new Big(5),
    netValue: new Big(7),
    fillId: '9',
    valueCurrency: 'GBP',
    parent: undefined,
    replacedBy: undefined,
    ...fields,
  };
}

const set = 'brokerage-mcp cost-basis set --fill 9';
const amount = '--cost AMOUNT --currency GBP';

test.each<[ActionEffect, Partial<CorporateAction>, string | undefined]>([
  [
    'came_free',
    { type: 'STOCK_DIVIDENDS' },
    `5 shares from stock dividends are treated as shares received at no cost; the true cost basis may differ. Enter what they cost, if they did: ${set} --acquired YYYY-MM-DD ${amount}`,
  ],
  // Nothing can be entered for a type that is not known.
  [
    'came_free',
    { type: 'NEW' },
    '5 shares from NEW are treated as shares received at no cost; the true cost basis may differ.',
  ],
  [
    'came_from_spin_off',
    { parent: 'P' },
    `5 shares from a spin-off of P are treated as shares received at no cost, and that company keeps all of its cost; a tax return needs the cost apportioned between the two. Enter the part of A: ${set} --parent P ${amount}`,
  ],
  [
    'came_from_spin_off',
    {},
    `5 shares from a spin-off of a company that the rows do not name are treated as shares received at no cost, and that company keeps all of its cost; a tax return needs the cost apportioned between the two. Enter the part of A: ${set} --parent TICKER ${amount}`,
  ],
  [
    'came_from_takeover',
    {},
    `5 shares came by TYPE, and the rows do not show the cost of the shares that were exchanged for them (TCGA 1992 ss 127 and 135); enter it: ${set} --acquired YYYY-MM-DD ${amount}`,
  ],
  [
    'transferred',
    {},
    '5 shares were transferred in (TYPE), and what they cost originally is unknown; enter it with `brokerage-mcp cost-basis`.',
  ],
  [
    'exchanged',
    {},
    `5 shares were exchanged by TYPE for 7.00 and other shares; their cost has to be apportioned between the two, so the gain is in no figure. Enter the part of the cost that belongs to the money: ${set} --part ${amount}`,
  ],
  [
    'exchanged_for_shares',
    { replacedBy: { ticker: 'B', quantity: new Big('2.5') } },
    '5 shares were exchanged by TYPE for 2.5 of B, which stand in their place (TCGA 1992 ss 127 and 135).',
  ],
  [
    'left',
    {},
    '5 shares removed by TYPE are deducted with their cost and are not treated as a disposal; the value of 7.00 in the row is in no gain.',
  ],
  [
    'left',
    { netValue: new Big(0) },
    '5 shares removed by TYPE are deducted with their cost and are not treated as a disposal.',
  ],
  [
    'left',
    { netValue: undefined, quantity: new Big(1) },
    '1 share removed by TYPE are deducted with their cost and are not treated as a disposal.',
  ],
  ['no_ratio', {}, 'a TYPE of 5 shares is omitted, because no shares are known to have been held before it.'],
  [
    'split_with_value',
    {},
    'a TYPE has a value of 7.00, which no gain includes. If it is cash for a part of a share, it is capital, and reduces the cost of the shares while it is small (TCGA 1992 s 122).',
  ],
  [
    'capital_returned',
    { netValue: new Big(-7) },
    '7.00 of returned capital is deducted from the cost of the shares held, as TCGA 1992 s 122 allows for a small distribution.',
  ],
  ['capital_returned', { netValue: new Big(0) }, undefined],
  [
    'capital_distributed',
    {},
    `7.00 paid by the company is capital and can be a part disposal (TCGA 1992 s 122), so it is in no figure. It is small if it is at most 5 % of the value of the shares, or 3,000 pounds. Enter the part of the cost that belongs to it, which is the payment itself if it is small: ${set} --part ${amount}`,
  ],
  [
    'cost_to_spin_off',
    { netValue: new Big(-7) },
    '7.00 of its cost belongs to the shares of a spin-off, as entered with `brokerage-mcp cost-basis`.',
  ],
  ['cost_to_spin_off', { netValue: new Big(0) }, undefined],
  ['free_purchase', {}, '5 shares bought for 0.00 count as a purchase at no cost.'],
])('%s %j', (effect, fields, sentence) => {
  const sentences = describeAssumptions([action(effect, fields)], () => 'DAY');
  expect(sentences).toEqual(sentence === undefined ? [] : [`A (DAY): ${sentence}`]);
});

test('actions of one ticker, type and effect are one sentence with the sum of their shares and days', () => {
  const made = [
    action('no_ratio'),
    action('no_ratio', { at: at('2024-04-01') }),
    // The same day is named once.
    action('no_ratio', { at: at('2024-04-01T15:00:00Z') }),
    action('no_ratio', { ticker: 'B' }),
    action('no_ratio', { type: 'OTHER' }),
    action('left', { netValue: undefined }),
  ];
  expect(describeAssumptions(made).map((sentence) => sentence.split(',')[0] ?? '')).toEqual([
    'A (2024-03-01',
    'B (2024-03-01): a TYPE of 5 shares is omitted',
    'A (2024-03-01): a OTHER of 5 shares is omitted',
    'A (2024-03-01): 5 shares removed by TYPE are deducted with their cost and are not treated as a disposal.',
  ]);
  expect(describeAssumptions(made)[0]).toBe(
    'A (2024-03-01, 2024-04-01): a TYPE of 15 shares is omitted, because no shares are known to have been held before it.',
  );
});

test.each([
  [5, 'D1, D2, D3, D4, D5'],
  [6, 'D1, D2, D3, D4, D5 and later'],
])('of %i days a sentence names at most five', (count, days) => {
  const made = Array.from({ length: count }, (_, index) => action('no_ratio', { at: index + 1 }));
  expect(describeAssumptions(made, (moment) => `D${moment}`)[0]).toMatch(new RegExp(`^A \\(${days}\\): `));
});

test('the shares that came in several exchanges are summed by ticker', () => {
  const came = (ticker: string, quantity: number) =>
    action('exchanged_for_shares', { replacedBy: { ticker, quantity: new Big(quantity) } });
  const made = [came('B', 2), came('C', 1), came('B', 3), action('exchanged_for_shares')];
  expect(describeAssumptions(made, () => 'DAY')).toEqual([
    'A (DAY): 20 shares were exchanged by TYPE for 5 of B and 1 of C, which stand in their place (TCGA 1992 ss 127 and 135).',
  ]);
});
