/** Draws the return of the account or of one holding: the gain, its rates, and the value over time. */

import { dayMs } from '../../../core/clock.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { RateModel, ReturnsModel, ValueModel } from '../model/read-returns.ts';
import { niceScale, normalize } from './charts.ts';
import {
  createAxisFormat,
  type FormatOptions,
  formatDay,
  formatDays,
  formatMoney,
  formatPeriod,
  formatSignedMoney,
  formatSignedPercent,
  getSign,
  negate,
  toNumber,
} from './format-values.ts';
import {
  asTable,
  type Column,
  drawing,
  type Figure,
  hero,
  lineSample,
  sample,
  section,
  signClass,
  table,
} from './section.ts';
import { textWidth } from './wrap-text.ts';

const labels: Readonly<Record<string, string>> = {
  startValue: 'Value at the start',
  moneyIn: 'Paid in',
  moneyOut: 'Paid out',
  sharesIn: 'Shares moved in',
  sharesOut: 'Shares moved out',
  netDeposits: 'Net paid in',
  bought: 'Bought',
  sold: 'Sold',
  charges: 'Charges',
  value: 'Value now',
  priceGain: 'Gain by price',
  realised: 'Realised',
  dividends: 'Dividends',
  interest: 'Interest',
  accountFees: 'Account fees',
  otherBookings: 'Other bookings',
};

/** What adds to the gain, which can be below zero, and what reduces it. */
const results = new Set(['priceGain', 'realised', 'dividends', 'interest', 'otherBookings']);
const costs = new Set(['accountFees', 'charges']);

const yearDays = 365;

/** What made the gain, and the amounts of the returns that it has. */
export interface GainSources {
  readonly drawn: Markup;
  readonly fields: readonly string[];
}

/** The currency is that of the amounts. */
type WithCurrency = FormatOptions & { readonly currency: string | undefined };

const rateFigure = (
  [yearly, total]: readonly [yearly: string, total: string],
  { annual, period, days = Number.POSITIVE_INFINITY }: RateModel,
  look: FormatOptions,
): Figure | false => {
  // A rate a year of a shorter time would say what has not happened.
  const isLong = days > yearDays || period === undefined;
  const [term, percent] = annual !== undefined && isLong ? [yearly, annual] : [total, period];
  return percent !== undefined && [term, formatSignedPercent(percent, look), percent];
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
    rate: rateFigure(['Yearly return (IRR)', 'Money-weighted return'], moneyWeighted, look),
  };
}

/** `sources` is what made the gain; its amounts are then not among the other figures. */
export function drawReturns(returns: ReturnsModel, look: FormatOptions, sources?: GainSources): Markup {
  const { frame, currency, name, message, benchmark, amounts, values } = returns;
  const main = listMainFigures(returns, look);
  const money = ([field, amount]: readonly [string, string]): Figure => {
    const name = labels[field] ?? field;
    if (!results.has(field) && !costs.has(field)) return [name, formatMoney(amount, currency, look)];
    const change = costs.has(field) ? negate(amount) : amount;
    return [name, formatSignedMoney(change, currency, look), change];
  };
  const paidIn = amounts.find(([field]) => field === 'netDeposits');
  const hasStart = amounts.some(([field]) => field === 'startValue');
  const rest = amounts.filter(([field]) => field !== 'value' && !sources?.fields.includes(field));
  // A document begins with what the account is worth.
  const [lead, second] = look.isPart ? [main.value, main.gain] : [main.gain, main.value];
  const beside = [
    lead && second,
    main.rate,
    benchmark && (['Benchmark', formatSignedPercent(benchmark.percent, look), benchmark.percent] as const),
  ];
  const more = [
    benchmark?.sameMoney !== undefined &&
      (['The same money in it', formatMoney(benchmark.sameMoney, currency, look)] as const),
    rateFigure(['Time-weighted a year', 'Time-weighted return'], returns.timeWeighted, look),
    ...rest.map(money),
  ];
  const [first, last] = [values[0], values.at(-1)];
  const days = first === last ? [returns.since, returns.until] : [first?.day, last?.day];
  const body = html`${days.some(Boolean) && html`<p class="soft">${sayDays(days, look)}</p>`}
${hero(lead || second, beside, more)}${sources?.drawn}
${!main.gain && message !== undefined && html`<p>${message}</p>`}
${
  values.length > 1
    ? chart(values, paidIn?.[1], hasStart, { ...look, currency }, returns.gain)
    : name === undefined &&
      html`<p class="say">No chart: it needs at least two daily values from this period. One is saved each day that you ask about the account here.</p>`
}`;
  const title = name === undefined ? 'Returns' : `Return of ${/_EQ$/.test(name) ? formatTicker(name) : name}`;
  return section({ id: 'returns', title, frame, body }, look);
}

/** An end that the question left open is not named. */
const sayDays = ([since, until]: readonly (string | undefined)[], look: FormatOptions): string =>
  since !== undefined && until !== undefined
    ? formatDays(since, until, look)
    : since === undefined
      ? `until ${formatDay(until, look)}`
      : `since ${formatDay(since, look)}`;

function chart(
  values: readonly ValueModel[],
  paidIn: string | undefined,
  hasStart: boolean,
  look: WithCurrency,
  gain: string | undefined,
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
  const name = hasStart ? 'start value + payments' : 'paid in − paid out';
  return html`<h3>Value over time</h3>${last?.putIn !== undefined && html`<ul class="legend">${sample('value', lineSample('line'))}${sample(`${name}: ${money(last.putIn)}`, lineSample('line paid'))}${gain !== undefined && sample(`${getSign(gain) < 0 ? 'loss' : 'gain'}: ${formatSignedMoney(gain, look.currency, look)}`, html`<path class="gap ${signClass(gain)}" d="M7 1V13"/>`)}</ul>`}
${drawing({ id: 'returns', title, description }, (width) => line(points, width, look, signClass(gain)))}
${last?.putIn === undefined && html`<p class="below">Deposits and withdrawals are part of it${paidIn !== undefined && html`: ${money(paidIn)} was paid in, less what was paid out`}.</p>`}
${asTable(valueTable(values, look))}`;
}

function valueTable(values: readonly ValueModel[], look: WithCurrency): Markup {
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
      { ...money('Value', ({ value }) => value), isResult: true },
    ],
    days,
  );
}

/** At most this many, evenly, with the first and the last. */
export function thin<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, n) => items[Math.round((n * (items.length - 1)) / (most - 1))] as Item);
}

// Draws a value over time as a line.

interface DayPoint {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly decimal: string;
  /** Of a second, dashed line; undefined where it has no value. */
  readonly below?: string | undefined;
  readonly text: string;
  readonly sentence: string;
}

/** More marks than these cannot be pointed at. */
const maxMarks = 24;

/** Pixels above the line. */
const headroom = 12;

/** The line of the days, on an axis that does not begin at zero: what changes is what a reader wants to see. */
function line(
  points: readonly DayPoint[],
  width: number,
  look: WithCurrency,
  result?: string,
): { readonly height: number; readonly content: Markup } {
  // A document has the allocation on the same page.
  const height = width < 400 ? 200 : look.isPart ? 172 : 230;
  const values = points.map(({ decimal }) => toNumber(decimal));
  const seconds = points.flatMap(({ below }) => (below === undefined ? [] : [toNumber(below)]));
  const scale = niceScale([...values, ...seconds], 4, Math.min(...values, ...seconds));
  const axis = createAxisFormat(look.currency, look);
  const labels = scale.ticks.map((tick) => axis.format(tick).replace('-', '−'));
  const left = Math.max(...labels.map((label) => textWidth(label, 12))) + 6;
  const right = width - 6;
  const floor = height - 40;
  const toY = (value: number) => headroom + (1 - normalize(value, scale)) * (floor - headroom);
  const days = points.map(({ day }) => Date.parse(day) / dayMs);
  const [from, to] = [days[0] ?? 0, days.at(-1) ?? 0];
  const toX = (day: number) => left + ((day - from) / Math.max(1, to - from)) * (right - left);
  const round = (pixel: number) => Math.round(pixel * 10) / 10;
  const join = (list: readonly number[]) =>
    list.map((value, n) => `${round(toX(days[n] ?? 0))} ${round(toY(value))}`).join('L');
  const every = Math.max(1, Math.ceil((points.length - 1) / (maxMarks - 1)));
  const marks = points.flatMap(({ sentence }, n) => {
    if (n % every !== 0 && n !== points.length - 1) return [];
    const [x, y] = [toX(days[n] ?? 0), toY(values[n] ?? 0)];
    const isFirst = n === 0;
    const room = (right - left) / maxMarks;
    return html`<g data-mark role="img" tabindex="${isFirst ? 0 : -1}" aria-label="${sentence}">${(isFirst || n === points.length - 1) && html`<circle class="dot" cx="${x}" cy="${y}" r="4"/>`}<rect class="hit" x="${Math.max(left, x - room / 2)}" y="6" width="${Math.min(room, right - x + room / 2)}" height="${floor - 4}"/></g>`;
  });
  const hasSecond = seconds.length === points.length;
  // What was gained since the start is between the ends of both lines.
  const [end, endBelow] = [values.at(-1) ?? 0, seconds.at(-1) ?? 0].map(toY);
  const gap = hasSecond && result && html`<path class="gap ${result}" d="M${right} ${end}V${endBelow}"/>`;
  const marksBelow = listDays(points, toX, left, right, look);
  return {
    height,
    content: html`<g aria-hidden="true">${scale.ticks.map(
      (tick, n) => html`<line class="grid" x1="${left}" x2="${right}" y1="${toY(tick)}" y2="${toY(tick)}"/>
<text class="quiet" text-anchor="end" x="${left - 6}" y="${toY(tick) + 4}">${labels[n]}</text>`,
    )}${marksBelow.map(({ x, text, anchor }) => html`<text class="quiet" text-anchor="${anchor}" x="${x}" y="${height - 22}">${text}</text>`)}${[points[0], points.at(-1)].map((point, n) => html`<text class="strong" text-anchor="${n === 0 ? 'start' : 'end'}" x="${n === 0 ? left : right}" y="${height - 5}">${point?.text}</text>`)}
${hasSecond && html`<path class="line paid" d="M${join(seconds)}"/>`}<path class="line" d="M${join(values)}"/>${gap}</g>${marks}`,
  };
}

/** Months between two marks: of a year or less, and of a longer time. */
const monthSteps = [1, 2, 3, 4, 6] as const;
const yearSteps = [12, 24, 60, 120] as const;

/** The first and the last day with their years, and between them the first days of months or years in even steps. */
function listDays(
  points: readonly DayPoint[],
  toX: (day: number) => number,
  left: number,
  right: number,
  look: FormatOptions,
) {
  const [from = '', to = ''] = [points[0]?.day, points.at(-1)?.day];
  const [first, last] = [from, to].map((day) => formatDay(day, { ...look, now: undefined })) as [string, string];
  const [start, end] = [left + textWidth(first, 12) + 8, right - textWidth(last, 12) - 8];
  const isLong = Date.parse(to) - Date.parse(from) > 500 * dayMs;
  const months = points.flatMap(({ day }, n) => {
    if (n === 0 || points[n - 1]?.day.slice(0, 7) === day.slice(0, 7)) return [];
    const { short, year } = formatPeriod(day.slice(0, 7), look);
    const text = day.slice(5, 7) === '01' ? year : short;
    const number = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
    return [{ x: toX(Date.parse(day) / dayMs), text, half: textWidth(text, 12) / 2 + 4, number }];
  });
  const listMarks = (step: number) => {
    const marks = months.filter(({ number }) => number % step === 0);
    const room = ((right - left) * step) / Math.max(1, months.length);
    const shown = marks.filter(({ x, half }) => x - half >= start - 4 && x + half <= end + 4);
    // A mark beside an end may be left out; another gap would be uneven.
    const isEven = marks.every((one) => shown.includes(one) || Math.min(one.x - left, right - one.x) <= room / 2);
    const isFree = shown.every(
      ({ x, half }, n) => n === 0 || (shown[n - 1]?.x ?? 0) + (shown[n - 1]?.half ?? 0) <= x - half,
    );
    return isEven && isFree ? shown : undefined;
  };
  const between = (isLong ? yearSteps : monthSteps).map(listMarks).find((shown) => shown !== undefined) ?? [];
  return [
    { x: left, text: first, anchor: 'start' },
    ...between.map(({ x, text }) => ({ x, text, anchor: 'middle' })),
    { x: right, text: last, anchor: 'end' },
  ];
}
