/** Draws the profit or loss of each holding: bars around zero. */

import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { HoldingModel, PortfolioModel } from '../model/read-portfolio.ts';
import { bars, maxRows } from './charts.ts';
import {
  type FormatOptions,
  formatSignedMoney,
  formatSignedPercent,
  getSign,
  sumDecimals,
  toNumber,
} from './format-values.ts';
import {
  describeHolding,
  holdingsTable,
  mergeHoldings,
  nameCountries,
  portfolioFigures,
  registrationNote,
} from './holdings.ts';
import { asTable, drawing, empty, section } from './section.ts';

type Known = HoldingModel & { readonly profitLoss: string };

export function drawProfitLoss(read: PortfolioModel, look: FormatOptions): Markup {
  const portfolio = nameCountries(read, look);
  const { holdings, frame, isByCountry } = portfolio;
  const known = holdings.filter((holding): holding is Known => holding.profitLoss !== undefined);
  // What made the result is first: of a loss, the greatest loss.
  const sign = getSign(sumResults(known)) < 0 ? -1 : 1;
  const by = (pick: (value: number) => number) => (a: Known, b: Known) =>
    pick(toNumber(b.profitLoss)) - pick(toNumber(a.profitLoss));
  const sorted = [...known].sort(by(Math.abs));
  const own = known.length > maxRows ? maxRows - 1 : known.length;
  const others = sorted.slice(own);
  const drawn = sorted.slice(0, own).sort(by((value) => sign * value));
  const merged = others.length > 0 ? [{ ...mergeHoldings(others), profitLoss: sumResults(others) }] : [];
  const unknown = holdings.length - known.length;
  const body = html`${holdings.length > 0 && portfolioFigures(portfolio, look, 'profit')}
${drawn.length === 0 ? empty(frame, holdings.length === 0 ? 'Nothing is held today, so no holding has a profit or loss.' : 'The profit or loss of no position is known.') : html`${others.length > 0 && html`<p class="below">The ${own} largest profits and losses, from ${sign < 0 ? 'loss to profit' : 'profit to loss'}. The others are one row; the table has all ${known.length}.</p>`}${chart(portfolio, [...drawn, ...merged], look)}`}
${isByCountry && html`<p class="below">${registrationNote}</p>`}
${unknown > 0 && html`<p class="soft">The profit or loss of ${unknown === 1 ? 'one row' : `${unknown} rows`} is unknown and not drawn.</p>`}
${holdings.length > 0 && asTable(holdingsTable(portfolio, look, 'profit'))}`;
  const rows = { shown: holdings.length, what: 'rows' };
  return section({ id: 'profit-loss', title: 'Profit and loss', frame, rows, body }, look);
}

const sumResults = (list: readonly Known[]): string => sumDecimals(list.map(({ profitLoss }) => profitLoss));

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
