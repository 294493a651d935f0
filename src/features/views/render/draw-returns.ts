/** Draws the return of the account or of one holding: the gain, its rates, and the value over time. */

import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { RateModel, ReturnsModel, ValueModel } from '../model/read-returns.ts';
import { line } from './charts.ts';
import {
  type FormatOptions,
  formatDay,
  formatMoney,
  formatSignedMoney,
  formatSignedPercent,
  getSign,
} from './format-values.ts';
import { asTable, drawing, type Figure, hero, section, table } from './section.ts';

const labels: Readonly<Record<string, string>> = {
  startValue: 'Value at the start',
  moneyIn: 'Paid in',
  moneyOut: 'Paid out',
  sharesIn: 'Shares moved in',
  sharesOut: 'Shares moved out',
  netDeposits: 'Paid in, net',
  bought: 'Bought',
  sold: 'Sold',
  charges: 'Charges',
  value: 'Value now',
  priceGain: 'Gain by price',
  realised: 'Realised',
  dividends: 'Dividends',
  interest: 'Interest',
  accountFees: 'Fees',
  otherBookings: 'Other bookings',
};

export function drawReturns(returns: ReturnsModel, look: FormatOptions): Markup {
  const { frame, currency, name, message, gain, gainPercent, benchmark, amounts, values } = returns;
  const rate = (term: string, { annual, period }: RateModel): Figure | false => {
    if (annual !== undefined) return [`${term}, a year`, formatSignedPercent(annual, look), annual];
    return period !== undefined && [term, formatSignedPercent(period, look), period];
  };
  const money = ([field, amount]: readonly [string, string]): Figure => [
    labels[field] ?? field,
    formatMoney(amount, currency, look),
  ];
  const value = amounts.find(([field]) => field === 'value');
  const total: Figure | false = gain !== undefined && [
    `${getSign(gain) < 0 ? 'Loss' : 'Gain'}${look.isPart ? ' on all money paid in' : ''}`,
    formatSignedMoney(gain, currency, look),
    gain,
    gainPercent && formatSignedPercent(gainPercent, look),
  ];
  const paidIn = amounts.find(([field]) => field === 'netDeposits');
  const rest = amounts.filter((one) => one !== value);
  const beside = [
    total && value && money(value),
    rate('Money-weighted', returns.moneyWeighted),
    benchmark && (['Benchmark', formatSignedPercent(benchmark.percent, look), benchmark.percent] as const),
  ];
  const more = [
    benchmark?.sameMoney !== undefined &&
      (['The same money in it', formatMoney(benchmark.sameMoney, currency, look)] as const),
    rate('Time-weighted', returns.timeWeighted),
    ...rest.map(money),
  ];
  const [first, last] = [values[0], values.at(-1)];
  const body = html`${first !== last && html`<p class="soft">${formatDay(first?.day, look)} to ${formatDay(last?.day, look)}</p>`}
${hero(total || (value && money(value)), beside, more)}
${!total && message !== undefined && html`<p>${message}</p>`}
${values.length > 1 && chart(values, paidIn?.[1], currency, look)}`;
  const title = name === undefined ? 'Returns' : `Return of ${/_EQ$/.test(name) ? formatTicker(name) : name}`;
  return section({ id: 'returns', title, frame, body }, look);
}

function chart(
  values: readonly ValueModel[],
  paidIn: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): Markup {
  const title = 'Value of the account over time';
  const [first, last] = [values[0], values.at(-1)];
  const description = `From ${formatMoney(first?.value, currency, look)} on ${formatDay(first?.day, look)} to ${formatMoney(last?.value, currency, look)} on ${formatDay(last?.day, look)}; deposits and withdrawals are part of it.`;
  const points = values.map(({ day, value }) => ({
    day,
    decimal: value,
    text: formatMoney(value, currency, look),
    sentence: `${formatDay(day, look)}: ${formatMoney(value, currency, look)}`,
  }));
  const ends = thin(values, 25);
  return html`<h3>Value over time</h3>${drawing({ id: 'returns', title, description }, (width) => line(points, width, { ...look, currency }))}
<p class="below">Deposits and withdrawals are part of it${paidIn !== undefined && html`: ${formatMoney(paidIn, currency, look)} was paid in, less what was paid out`}.</p>
${asTable(
  table(
    `${countOf(ends.length, 'day')} of ${values.length}`,
    [
      { label: 'Day', text: ({ day }) => formatDay(day, look), key: ({ day }) => day },
      {
        label: 'Value',
        text: ({ value }) => formatMoney(value, currency, look),
        key: ({ value }) => value,
        isNumber: true,
      },
    ],
    ends,
  ),
)}`;
}

/** At most this many, evenly, with the first and the last. */
export function thin<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, n) => items[Math.round((n * (items.length - 1)) / (most - 1))] as Item);
}
