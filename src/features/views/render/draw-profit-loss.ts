/** Draws the profit or loss of each holding: bars around zero. */

import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { HoldingModel, PortfolioModel } from '../model/read-portfolio.ts';
import { bars, maxRows } from './charts.ts';
import { type FormatOptions, formatSignedMoney, formatSignedPercent, getSign, toNumber } from './format-values.ts';
import {
  describeHolding,
  holdingsTable,
  nameCountries,
  portfolioFigures,
  registrationNote,
  sayNothingHeld,
} from './holdings.ts';
import { asTable, drawing, empty, section } from './section.ts';

type Known = HoldingModel & { readonly profitLoss: string };

export function drawProfitLoss(read: PortfolioModel, look: FormatOptions): Markup {
  const portfolio = nameCountries(read, look);
  const { holdings, frame, isByCountry } = portfolio;
  const known = holdings.filter((holding): holding is Known => holding.profitLoss !== undefined);
  const by = (pick: (value: number) => number) => (a: Known, b: Known) =>
    pick(toNumber(b.profitLoss)) - pick(toNumber(a.profitLoss));
  const drawn = [...known]
    .sort(by(Math.abs))
    .slice(0, maxRows)
    // Of losses alone the greatest is first.
    .sort(by((value) => (known.some(({ profitLoss }) => getSign(profitLoss) > 0) ? value : -value)));
  const unknown = holdings.length - known.length;
  const body = html`${portfolioFigures(portfolio, look, 'profit')}
${drawn.length === 0 ? empty(frame, holdings.length === 0 ? sayNothingHeld(portfolio) : 'The profit or loss of no position is known.') : html`${known.length > drawn.length && html`<p class="soft">The ${drawn.length} largest of ${known.length} are drawn; the table has all.</p>`}${chart(portfolio, drawn, look)}`}
${isByCountry && html`<p class="below">${registrationNote}</p>`}
${unknown > 0 && html`<p class="soft">The profit or loss of ${unknown === 1 ? 'one row' : `${unknown} rows`} is unknown and not drawn.</p>`}
${holdings.length > 0 && asTable(holdingsTable(portfolio, look, 'profit'))}`;
  const rows = { shown: holdings.length, what: 'rows' };
  return section({ id: 'profit-loss', title: 'Profit and loss', frame, rows, body }, look);
}

function chart({ currency }: PortfolioModel, drawn: readonly Known[], look: FormatOptions): Markup {
  const rows = drawn.map((holding) => {
    const { label, ticker, isTicker, profitLoss, profitLossPercent: percent } = holding;
    return {
      name: isTicker ? formatTicker(label) : label,
      symbol: ticker && formatTicker(ticker),
      decimal: profitLoss,
      text: formatSignedMoney(profitLoss, currency, look),
      note: percent && formatSignedPercent(percent, look),
      sentence: describeHolding(holding, currency, look),
    };
  });
  const title = 'Profit and loss by holding';
  const description = `${countOf(rows.length, 'bar')}; a loss has its sign and its colour.`;
  return drawing({ id: 'profit-loss', title, description, isPrinted: true }, (width) =>
    bars(rows, width, { ...look, currency }),
  );
}
