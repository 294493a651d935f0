/** Draws dividends over time, by ticker or by type. Projected amounts always differ visibly from paid ones. */

import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { type Dividends, type Income, isTime } from '../model/read-dividends.ts';
import { bars, columns, findMean, fitsAmounts, isOver, type TimeBar } from './charts.ts';
import {
  type FormatOptions,
  formatCountry,
  formatDay,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  getSign,
  toNumber,
} from './format-values.ts';
import { registrationNote } from './holdings.ts';
import { asTable, drawing, empty, type Figure, fold, hero, lineSample, sample, section, table } from './section.ts';

export function drawDividends(read: Dividends, look: FormatOptions): Markup {
  const dividends = nameGroups(read, look);
  const { frame, currency, total, count, trailingTwelveMonths, trailingTo, yieldOnCostPercent, projection, groups } =
    dividends;
  const projected = projection?.months ?? [];
  const last = projected.at(-1);
  const hasAny = groups.length + projected.length > 0;
  const sum: Figure | false = total !== undefined && [sayRange(dividends, look), formatMoney(total, currency, look)];
  const year: Figure | false = trailingTwelveMonths !== undefined && [
    `Paid, 12 months${trailingTo === undefined ? '' : ` to ${formatDay(trailingTo, look)}`}`,
    formatMoney(trailingTwelveMonths, currency, look),
  ];
  const next: Figure | false = projection?.total !== undefined && [
    `Projected${last === undefined ? ', not paid' : ` to ${sayPeriod(last.group, look)}`}`,
    formatMoney(projection.total, currency, look),
  ];
  const rate: Figure | false = yieldOnCostPercent !== undefined && [
    'Yield on cost',
    formatPercent(yieldOnCostPercent, look),
  ];
  // A range that was asked for comes first.
  const [first, second] = hasRange(dividends) ? [sum, year] : [year, sum];
  const body = html`${
    hasAny
      ? html`${hero(first, [second, next || rate], [next && rate, getSign(count) > 0 && ['Payments', formatNumber(count, look)]])}
${chart(dividends, look)}`
      : html`${empty(frame, `${sayRange(dividends, look, 'No dividends')}.`)}${year && html`<p class="soft">${year[0]}: ${year[1]}</p>`}`
  }
${dividends.groupBy === 'country' && html`<p class="below">${registrationNote}</p>`}
${hasAny && asTable(tables(dividends, look))}
${projection?.method !== undefined && fold('How it is projected', html`<p class="soft">${projection.method}</p>`)}`;
  const rows = { shown: groups.length, what: 'rows' };
  return section({ id: 'dividends', title: hasAny ? formatTitle(dividends) : 'Dividends', frame, rows, body }, look);
}

const hasRange = ({ taxYear, since, until }: Dividends): boolean =>
  taxYear !== undefined || since !== undefined || until !== undefined;

/** What the sum is of: the range that was asked for, or the periods that the result has. */
function sayRange({ taxYear, since, until, groupBy, groups }: Dividends, look: FormatOptions, what = 'Paid'): string {
  if (taxYear !== undefined) return `${what} in ${taxYear}`;
  const [from, to] = [since && formatDay(since, look), until && formatDay(until, look)];
  if (from) return to ? `${what} from ${from} to ${to}` : `${what} since ${from}`;
  if (to) return `${what} until ${to}`;
  const [first] = isTime(groupBy) ? groups : [];
  if (!first) return `${what} so far`;
  return `${what} since ${sayPeriod(first.group, look)}`;
}

const sayPeriod = (group: string, look: FormatOptions): string => {
  const { short, year } = formatPeriod(group, look);
  return `${short} ${year}`.trim();
};

/** Groups by their names: countries, instruments, kinds of payments. */
const nameGroups = (dividends: Dividends, look: FormatOptions): Dividends =>
  isTime(dividends.groupBy)
    ? dividends
    : { ...dividends, groups: dividends.groups.map((one) => ({ ...one, group: nameGroup(one, dividends, look) })) };

function nameGroup({ group, name }: Income, { groupBy }: Dividends, look: FormatOptions): string {
  switch (groupBy) {
    case 'country':
      return formatCountry(group, look);
    case 'ticker':
      return name ?? formatTicker(group);
    default:
      return formatConstant(group);
  }
}

/** What the groups are, as a person calls it. */
const nameGrouping = ({ groupBy }: Dividends): string => (groupBy === 'ticker' ? 'instrument' : groupBy);

const formatTitle = (dividends: Dividends): string => `Dividends by ${nameGrouping(dividends)}`;

function chart(dividends: Dividends, look: FormatOptions): Markup {
  const { groupBy, groups, currency } = dividends;
  const months = dividends.projection?.months ?? [];
  const sentence = ({ group, amount, count }: Income, isMonth: boolean) =>
    `${isMonth ? formatPeriod(group, look).full : group}: ${formatMoney(amount, currency, look)}${count === undefined ? '' : `, ${count} ${count === '1' ? 'payment' : 'payments'}`}`;
  const title = formatTitle(dividends);
  const withUnit = { ...look, currency };
  const paid = groups.map((group) => ({
    group: group.group,
    decimal: group.amount,
    text: formatMoney(group.amount, currency, look),
    isProjected: false,
    sentence: sentence(group, isTime(groupBy)),
  }));
  const projected = months.map(
    (month): TimeBar => ({
      group: month.group,
      decimal: month.amount,
      text: formatMoney(month.amount, currency, look),
      isProjected: true,
      sentence: `${sentence(month, true)}, projected`,
    }),
  );
  if (isTime(groupBy)) {
    const description = `${paid.length} paid, ${projected.length} projected, oldest first.`;
    // Only months are shown beside the projection, which is by month: a year beside a month would invite a comparison.
    const rows = groupBy === 'month' ? stack(paid, projected, currency, look) : paid;
    const isPrinted = rows.length > 0 && fitsAmounts(rows, 340);
    const mean = isPrinted ? undefined : findMean(rows);
    const over = rows.filter(isOver);
    const [from, to] = [over[0], over.at(-1)].map((row) => sayPeriod(row?.group ?? '', look));
    const meanText = `mean ${formatMoney(mean?.toFixed(2), currency, look)} a ${groupBy}, ${from} to ${to}`;
    return html`${mean !== undefined && html`<ul class="legend">${sample(meanText, lineSample('split'))}</ul>`}${rows.length > 0 && drawing({ id: 'dividends', title, description, isPrinted }, (width) => columns(rows, width, withUnit, mean))}${groupBy !== 'month' && projectionAlone(projected, title, withUnit)}`;
  }
  const rows = groups.flatMap((group) =>
    group.amount === undefined
      ? []
      : [
          {
            name: group.group,
            decimal: group.amount,
            text: formatMoney(group.amount, currency, look),
            sentence: sentence(group, false),
          },
        ],
  );
  return html`${
    rows.length > 0 &&
    drawing({ id: 'dividends', title, description: `${countOf(rows.length, 'bar')}.`, isPrinted: true }, (width) =>
      bars(rows, width, withUnit),
    )
  }${projectionAlone(projected, title, withUnit)}`;
}

/**
 * One column for each month, in the order of time. A month that began has payments and a projection: the projection is
 * on top of what was paid.
 */
function stack(
  paid: readonly TimeBar[],
  projected: readonly TimeBar[],
  currency: string | undefined,
  look: FormatOptions,
): readonly TimeBar[] {
  const both = new Map(projected.map((bar) => [bar.group, bar]));
  const first = paid.map((bar): TimeBar => {
    const rest = both.get(bar.group);
    // Nothing is put on a column below zero, or below the top of one.
    if (!rest || toNumber(bar.decimal) < 0 || toNumber(rest.decimal) < 0) return bar;
    both.delete(bar.group);
    return {
      ...bar,
      projected: rest.decimal,
      sentence: `${bar.sentence}, and ${formatMoney(rest.decimal, currency, look)} projected`,
    };
  });
  return [...first, ...both.values()];
}

const projectionAlone = (
  projected: readonly TimeBar[],
  title: string,
  look: FormatOptions & { readonly currency: string | undefined },
): Markup | false =>
  projected.length > 0 &&
  html`<h3>Projection by month</h3>${drawing(
    {
      id: 'projection',
      title: `Projection: ${title}`,
      description: `${countOf(projected.length, 'projected month')}.`,
    },
    (width) => columns(projected, width, look),
  )}`;

function tables(dividends: Dividends, look: FormatOptions): Markup {
  const { frame, groups, groupBy, currency, projection, total } = dividends;
  const amount = {
    label: 'Amount',
    text: (row: Income) => formatMoney(row.amount, currency, look),
    key: (row: Income) => row.amount,
    isNumber: true,
  };
  const group = (name: string, inTime: boolean) => ({
    label: name,
    text: (row: Income) => (inTime ? formatPeriod(row.group, look).full : row.group),
    key: (row: Income) => row.group,
  });
  const count = {
    label: 'Payments',
    text: (row: Income) => row.count ?? 'unknown',
    key: (row: Income) => row.count,
    isNumber: true,
  };
  const word = formatConstant(nameGrouping(dividends));
  return html`${table(
    isTime(groupBy) ? 'Paid, the newest first' : 'Paid',
    [group(word, isTime(groupBy)), amount, count],
    isTime(groupBy) ? groups.toReversed() : groups,
    total === undefined || frame.cut ? [] : [{ group: 'Total', amount: total, count: dividends.count }],
  )}${
    projection &&
    projection.months.length > 0 &&
    table('Projection, not paid', [group('Month', true), amount], projection.months)
  }`;
}
