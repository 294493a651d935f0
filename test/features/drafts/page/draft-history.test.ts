/** Which versions a draft had: who made each, when, and what a person changed. */
import { expect, test } from 'vitest';
import { toTime } from '../../../../src/core/approval/page/labels.ts';
import type { DraftLeg, DraftVersion } from '../../../../src/features/drafts/book/draft.ts';
import { changeHistory } from '../../../../src/features/drafts/page/draft-page.ts';
import { textOf } from './draft-ticket-support.ts';

const now = Date.UTC(2026, 10, 20, 12);
const hour = 3_600_000;
const buy: DraftLeg = {
  ...{ type: 'LIMIT', ticker: 'AAA_EQ', side: 'BUY', quantity: '1250', limitPrice: '71.25', timeValidity: 'DAY' },
  price: '70',
};
const sell: DraftLeg = { type: 'MARKET', ticker: 'BBB_EQ', side: 'SELL', quantity: '3' };
const third: DraftLeg = { type: 'MARKET', ticker: 'CCC_EQ', side: 'BUY', quantity: '4' };

const made = (version: number, change: Partial<DraftVersion>): DraftVersion => ({
  ...{ draftId: 'd1', version, createdAt: now - (40 - version) * hour, channel: 'tool', legs: [buy, sell, third] },
  ...change,
});
const instruments = { names: { AAA_EQ: 'Noon Company' }, currencies: { AAA_EQ: 'GBX' } };
const at = (version: number) => toTime(now - (40 - version) * hour, now);
/** The rows of the table, without its head. */
const rowsOf = (versions: readonly DraftVersion[]) =>
  textOf({ markup: changeHistory({ versions, now, ...instruments }).markup.replace(/<\/td><td/g, '</td> <td') }).filter(
    (line) => /^\d+ (?!version)/.test(line),
  );

test('the newest version is first, and each change has what it was before', () => {
  const lower = { kind: 'quantity', leg: 1, quantity: '1000' } as const;
  const stricter = { kind: 'limitPrice', leg: 1, limitPrice: '70.5' } as const;
  const legs = [{ ...buy, quantity: '1000' }, sell, third];
  const tighter = [{ ...buy, quantity: '1000', limitPrice: '70.5' }, sell, third];
  expect(
    rowsOf([
      made(1, {}),
      made(2, { channel: 'page', edit: lower, legs }),
      made(3, { channel: 'terminal', edit: stricter, legs: tighter }),
      made(4, { channel: 'page', edit: { kind: 'remove', leg: 2 }, legs: [tighter[0] as DraftLeg, third] }),
      made(5, { channel: 'submission', legs: [third] }),
    ]),
  ).toEqual([
    `5 The end of sending ${at(5)} 1 order that were not sent`,
    `4 You, on a page ${at(4)} Order 2 removed: SELL 3 × BBB`,
    `3 You, in a terminal ${at(3)} Order 1, BUY Noon Company: limit price 71.25p → 70.50p`,
    `2 You, on a page ${at(2)} Order 1, BUY Noon Company: quantity 1,250 → 1,000`,
    `1 A tool saved it ${at(1)} 3 orders`,
  ]);
});

test('of more than 20 versions the last 20 are listed, each compared with the one before it', () => {
  const removed = { channel: 'page', edit: { kind: 'remove', leg: 2 } } as const;
  const versions = Array.from({ length: 21 }, (_, n) => made(n + 1, n === 0 ? {} : removed));
  const page = changeHistory({ versions, now, ...instruments }).markup;
  expect(page).toContain('The last 20 of 21 versions');
  const rows = rowsOf(versions);
  expect(rows).toHaveLength(20);
  expect(rows.at(-1)).toBe(`2 You, on a page ${at(2)} Order 2 removed: SELL 3 × BBB`);
  expect(changeHistory({ versions: versions.slice(0, 20), now, ...instruments }).markup).not.toContain('The last');
});

test('a change is compared with the version right before it', () => {
  const lower = (quantity: string) => ({ kind: 'quantity', leg: 1, quantity }) as const;
  const versions = [
    made(1, {}),
    made(2, { channel: 'page', edit: lower('1000'), legs: [{ ...buy, quantity: '1000' }, sell] }),
    made(3, { channel: 'page', edit: lower('900'), legs: [{ ...buy, quantity: '900' }, sell] }),
  ];
  expect(rowsOf(versions).slice(0, 2)).toEqual([
    `3 You, on a page ${at(3)} Order 1, BUY Noon Company: quantity 1,000 → 900`,
    `2 You, on a page ${at(2)} Order 1, BUY Noon Company: quantity 1,250 → 1,000`,
  ]);
});

test('a change of which the version before is not known has its legs counted', () => {
  const edit = { kind: 'quantity', leg: 1, quantity: '900' } as const;
  expect(rowsOf([made(5, { channel: 'page', edit })])).toEqual([`5 You, on a page ${at(5)} 3 orders`]);
});
