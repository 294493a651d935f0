/** Where dividends go in the tax return: the box of each row, and the sum of each box, which a person copies. */
import Big from 'big.js';
import { type Fields, toDecimal, toText } from '../model/read-answer.ts';
import { type FormatOptions, formatMoney, unknown } from './format-values.ts';
import type { Figure } from './section.ts';

interface Box {
  /** In a column, with its form. */
  readonly name: string;
  /** What its sum is called. */
  readonly term: string;
}

/** In the order of the figures. A foreign company pays no UK property income. */
const ukDividends: Box = { name: 'SA100 box 4 or 5', term: 'UK dividends (box 4 or 5)' };
const foreignDividends: Box = { name: 'SA106 dividends', term: 'Foreign dividends (SA106 or box 6)' };
const ukProperty: Box = { name: 'SA100 box 17', term: 'UK property income (box 17)' };
const ukInterest: Box = { name: 'SA100 box 2', term: 'UK fund interest (box 2)' };
const foreignInterest: Box = { name: 'SA106 interest', term: 'Foreign interest (SA106)' };
const allBoxes = [ukDividends, foreignDividends, ukProperty, ukInterest, foreignInterest];

/** By treatment: the box of a UK payment and that of a foreign one. */
const boxes: Readonly<Record<string, readonly [uk: Box, foreign: Box]>> = {
  ordinary: [ukDividends, foreignDividends],
  property_income: [ukProperty, foreignDividends],
  interest: [ukInterest, foreignInterest],
};

/** Payments of capital are no income. */
const capital = new Set(['return_of_capital', 'liquidation', 'demerger']);

const findBox = ({ country, treatment }: Fields): Box | undefined =>
  toText(country) === undefined ? undefined : boxes[toText(treatment) ?? '']?.[country === 'GB' ? 0 : 1];

/** The form and box of a row; empty for capital, and `unknown` where its country or treatment has none here. */
export const nameBox = (row: Fields): string =>
  capital.has(toText(row.treatment) ?? '') ? '' : (findBox(row)?.name ?? unknown);

/** The sum of what was paid for each box and currency; unknown where a row's amount is. */
export function sumBoxes(rows: readonly Fields[], answer: Fields, look: FormatOptions): readonly Figure[] {
  const currencyOf = (row: Fields) => toText(row.currency) ?? toText(answer.currency);
  return allBoxes.flatMap((box) => {
    const members = rows.filter((row) => findBox(row) === box);
    return [...new Set(members.map(currencyOf))].map((currency): Figure => {
      const paid = members.filter((row) => currencyOf(row) === currency).map((row) => toDecimal(row.paid));
      const known = paid.filter((amount) => amount !== undefined);
      const sum = known.reduce((total, amount) => total.plus(amount), Big(0));
      return [box.term, formatMoney(known.length < paid.length ? undefined : sum.toFixed(2), currency, look)];
    });
  });
}
