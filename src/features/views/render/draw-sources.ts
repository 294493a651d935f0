/** Draws what made the gain of an account, from two results: only where the parts add up to it, to the penny. */

import { html, type Markup } from '../../../core/text/html-template.ts';
import type { PortfolioModel } from '../model/read-portfolio.ts';
import type { ReturnsModel } from '../model/read-returns.ts';
import type { GainSources } from './draw-returns.ts';
import { type FormatOptions, formatMoney, formatSignedMoney, getSign, negate, sumDecimals } from './format-values.ts';
import { type Figure, figures } from './section.ts';

/** Amounts of the returns that are parts of the gain, and whether one reduces it. */
const parts = [
  ['realised', 'Realised by sales', false],
  ['dividends', 'Dividends', false],
  ['interest', 'Interest', false],
  ['accountFees', 'Account fees', true],
  ['otherBookings', 'Other bookings', false],
] as const;

/**
 * Returns the parts of the gain, or a sentence that says why they are not shown. Undefined where the gain is unknown, or
 * is that of a period or of one holding, whose parts the results do not have.
 */
export function drawSources(
  returns: ReturnsModel,
  portfolio: PortfolioModel | undefined,
  look: FormatOptions,
): GainSources | undefined {
  const { gain, currency, name } = returns;
  const amounts = new Map(returns.amounts);
  if (gain === undefined || name !== undefined || amounts.has('startValue')) return undefined;
  const held = portfolio?.currency === currency ? portfolio?.profitLoss : undefined;
  const known = parts.flatMap(([field, term, isCost]) => {
    const amount = amounts.get(field);
    return amount === undefined ? [] : [[term, isCost ? negate(amount) : amount] as const];
  });
  // Other bookings are listed where there are any.
  const missing = [
    ...(held === undefined ? ['the profit on what you hold'] : []),
    ...parts
      .filter(([field]) => field !== 'otherBookings' && !amounts.has(field))
      .map(([, term]) => term.charAt(0).toLowerCase() + term.slice(1)),
  ];
  if (missing.length > 0) return explain(`What made the gain is not shown: ${missing.join(', ')} is unknown.`);
  const list = [['On what you hold', held as string] as const, ...known];
  const rest = sumDecimals([gain, ...list.map(([, amount]) => negate(amount))]);
  if (getSign(rest) !== 0) {
    const off = formatMoney(rest.replace('-', ''), currency, look);
    const why = getSign(rest) > 0 ? `${off} of it has no known source` : `its known parts add up to ${off} more`;
    return explain(`What made the gain is not shown: ${why}.`);
  }
  const toFigure = ([term, amount]: readonly [string, string]): Figure => [
    term,
    formatSignedMoney(amount, currency, look),
    amount,
  ];
  return {
    drawn: html`<h3>What made the gain of ${formatSignedMoney(gain, currency, look)}</h3>${figures(list.map(toFigure))}`,
    fields: parts.map(([field]) => field),
  };
}

const explain = (why: string): GainSources => ({ drawn: sentence(why), fields: [] });

const sentence = (text: string): Markup => html`<p class="below">${text}</p>`;
