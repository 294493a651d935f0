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
import { asTable, type Column, drawing, type Figure, hero, section, table } from './section.ts';

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

const yearDays = 365;

const rateFigure = (
  way: string,
  { annual, period, days = Number.POSITIVE_INFINITY }: RateModel,
  look: FormatOptions,
): Figure | false => {
  // A rate a year of a shorter time would say what has not happened.
  const [term, percent] = annual !== undefined && days > yearDays ? ['Return a year', annual] : ['Return', period];
  return percent !== undefined && [term, formatSignedPercent(percent, look), percent, way];
};

/** The gain, the value at the end and the money-weighted rate; false where one is unknown. */
export function listMainFigures(
  { currency, gain, gainPercent, moneyWeighted, amounts }: ReturnsModel,
  look: FormatOptions,
) {
  const value = amounts.find(([field]) => field === 'value')?.[1];
  return {
    gain:
      gain !== undefined &&
      ([
        `${getSign(gain) < 0 ? 'Loss' : 'Gain'}${look.isPart ? ' on all money paid in' : ''}`,
        formatSignedMoney(gain, currency, look),
        gain,
        gainPercent && formatSignedPercent(gainPercent, look),
      ] satisfies Figure),
    value: value !== undefined && (['Value now', formatMoney(value, currency, look)] satisfies Figure),
    rate: rateFigure('money-weighted', moneyWeighted, look),
  };
}

export function drawReturns(returns: ReturnsModel, look: FormatOptions): Markup {
  const { frame, currency, name, message, benchmark, amounts, values } = returns;
  const main = listMainFigures(returns, look);
  const money = ([field, amount]: readonly [string, string]): Figure => [
    labels[field] ?? field,
    formatMoney(amount, currency, look),
  ];
  const paidIn = amounts.find(([field]) => field === 'netDeposits');
  const hasStart = amounts.some(([field]) => field === 'startValue');
  const rest = amounts.filter(([field]) => field !== 'value');
  const beside = [
    main.gain && main.value,
    main.rate,
    benchmark && (['Benchmark', formatSignedPercent(benchmark.percent, look), benchmark.percent] as const),
  ];
  const more = [
    benchmark?.sameMoney !== undefined &&
      (['The same money in it', formatMoney(benchmark.sameMoney, currency, look)] as const),
    rateFigure('time-weighted', returns.timeWeighted, look),
    ...rest.map(money),
  ];
  const [first, last] = [values[0], values.at(-1)];
  const body = html`${first !== last && html`<p class="soft">${formatDay(first?.day, look)} to ${formatDay(last?.day, look)}</p>`}
${hero(main.gain || main.value, beside, more)}
${!main.gain && message !== undefined && html`<p>${message}</p>`}
${values.length > 1 && chart(values, paidIn?.[1], hasStart, { ...look, currency })}`;
  const title = name === undefined ? 'Returns' : `Return of ${/_EQ$/.test(name) ? formatTicker(name) : name}`;
  return section({ id: 'returns', title, frame, body }, look);
}

function chart(
  values: readonly ValueModel[],
  paidIn: string | undefined,
  hasStart: boolean,
  look: FormatOptions & { readonly currency: string | undefined },
): Markup {
  const money = (decimal: string | undefined) => formatMoney(decimal, look.currency, look);
  const title = 'Value of the account over time';
  const [first, last] = [values[0], values.at(-1)];
  const description = `From ${money(first?.value)} on ${formatDay(first?.day, look)} to ${money(last?.value)} on ${formatDay(last?.day, look)}; deposits and withdrawals are part of it.`;
  const points = values.map(({ day, value, putIn }) => ({
    day,
    decimal: value,
    below: putIn,
    text: money(value),
    sentence: `${formatDay(day, look)}: ${money(value)}${putIn === undefined ? '' : `, put in ${money(putIn)}`}`,
  }));
  const name = hasStart ? 'put in (value at the start, payments since)' : 'paid in, less what was paid out';
  return html`<h3>Value over time</h3>${drawing({ id: 'returns', title, description }, (width) => line(points, width, look))}
${
  last?.putIn === undefined
    ? html`<p class="below">Deposits and withdrawals are part of it${paidIn !== undefined && html`: ${money(paidIn)} was paid in, less what was paid out`}.</p>`
    : html`<ul class="legend">${sample('value', 'line')}${sample(`${name}: ${money(last.putIn)}`, 'line paid')}</ul>`
}
${asTable(valueTable(values, look))}`;
}

const sample = (name: string, kind: string): Markup =>
  html`<li><svg aria-hidden="true"><path class="${kind}" d="M0 7H14"/></svg>${name}</li>`;

function valueTable(
  values: readonly ValueModel[],
  look: FormatOptions & { readonly currency: string | undefined },
): Markup {
  const days = thin(values, 25).toReversed();
  const money = (label: string, pick: (one: ValueModel) => string | undefined): Column<ValueModel> => ({
    label,
    text: (one) => formatMoney(pick(one), look.currency, look),
    key: pick,
    isNumber: true,
  });
  return table(
    `${countOf(days.length, 'day')} of ${values.length}, the newest first`,
    [
      { label: 'Day', text: ({ day }) => formatDay(day, look), key: ({ day }) => day },
      ...(values.some(({ putIn }) => putIn !== undefined) ? [money('Put in', ({ putIn }) => putIn)] : []),
      money('Value', ({ value }) => value),
    ],
    days,
  );
}

/** At most this many, evenly, with the first and the last. */
export function thin<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, n) => items[Math.round((n * (items.length - 1)) / (most - 1))] as Item);
}
