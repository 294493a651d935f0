/** Where dividends go in the tax return. */
import { type Fields, toText } from '../model/read-answer.ts';
import { unknown } from './format-values.ts';

/** A country that is known not to be the United Kingdom, where no more matters. */
export const foreign = 'XX';

interface Box {
  /** In a column, with its form. */
  readonly name: string;
  /** What its sum is called. */
  readonly term: string;
}

/** In the order of the figures. */
const ukDividends: Box = { name: 'SA100 box 4 or 5', term: 'UK dividends (box 4 or 5)' };
const foreignDividends: Box = { name: 'SA106 dividends', term: 'Foreign dividends (SA106 or box 6)' };
const ukProperty: Box = { name: 'SA100 box 17', term: 'UK property income (box 17)' };
const ukInterest: Box = { name: 'SA100 box 2', term: 'UK fund interest (box 2)' };
const foreignInterest: Box = { name: 'SA106 interest', term: 'Foreign interest (SA106)' };
export const allBoxes = [ukDividends, foreignDividends, ukProperty, ukInterest, foreignInterest];

/**
 * By treatment: the box of a UK payment and that of a foreign one, by the notes to SA100 and SA106. Property income of
 * a UK REIT is in box 17 (HMRC's manual, SAIM5340); that of a foreign one can be a dividend or income from land, which
 * a payment does not say. Interest distributions of UK funds are taxed as interest (ITTOIA 2005, s. 376; SI 2006/964,
 * reg. 18) and paid without tax taken off since 6 April 2017: untaxed UK interest, box 2.
 */
const boxes: Readonly<Record<string, readonly [uk: Box, foreign?: Box]>> = {
  ordinary: [ukDividends, foreignDividends],
  property_income: [ukProperty],
  interest: [ukInterest, foreignInterest],
};

/** Payments of capital are no income. */
const capital = new Set(['return_of_capital', 'liquidation', 'demerger']);

/** The box of a row; undefined for capital, and where its country is unknown or its treatment has none here. */
export const findBox = ({ country, treatment }: Fields): Box | undefined =>
  !/^[A-Z]{2}$/.test(toText(country) ?? '') ? undefined : boxes[toText(treatment) ?? '']?.[country === 'GB' ? 0 : 1];

/** The form and box of a row; empty for capital, and `unknown` where its country or treatment has none here. */
export const nameBox = (row: Fields): string =>
  capital.has(toText(row.treatment) ?? '') ? '' : (findBox(row)?.name ?? unknown);
