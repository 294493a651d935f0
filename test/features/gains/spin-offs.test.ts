/** Which company gave the shares of a spin-off, as far as the rows show it. */
import { expect, test } from 'vitest';
import { createParentFinder } from '../../../src/features/gains/apply-records.ts';
import { action, at, buy, sell } from './trades.ts';

const week = 7 * 86_400_000;
const when = '2024-06-10T12:00:00Z';
const given = (ticker: string, more = {}) => sell(when, 5, 0, { ticker, type: 'SPIN_OFF', ...more });
const childAt = (moment: number) => action(new Date(moment).toISOString(), 'SPIN_OFF', 4, 0, { ticker: 'CHILD' });

test.each([
  ['a week after the company’s row', week, 'P'],
  ['later than that', week + 1, undefined],
  ['a week before it', -week, 'P'],
  ['earlier than that', -week - 1, undefined],
])('shares that came %s have this parent', (_, offset, parent) => {
  const child = childAt(at(when) + offset);
  expect(createParentFinder([given('P')], [])(child)).toBe(parent);
  expect(createParentFinder([], [{ ticker: 'P', at: at(when) }])(child)).toBe(parent);
});

test.each([
  ['two rows of one company name it', [given('P'), given('P')], [{ ticker: 'P', at: at(when) }], 'P'],
  ['two companies name none', [given('P')], [{ ticker: 'Q', at: at(when) }], undefined],
  ['the row of the shares themselves names none', [given('CHILD')], [], undefined],
  ['shares that another spin-off brought name none', [action(when, 'SPIN_OFF', 5, 0, { ticker: 'P' })], [], undefined],
  ['a sale names none', [sell(when, 5, 9, { ticker: 'P' }), buy(when, 5, 9, { ticker: 'Q' })], [], undefined],
])('%s', (_, trades, demergers, parent) => {
  expect(createParentFinder(trades, demergers)(childAt(at(when)))).toBe(parent);
});
