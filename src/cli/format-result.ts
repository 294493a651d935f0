/** The result of a tool for a person: facts by name, lists as tables. A program gets the JSON. */
import type { Clock } from '../core/clock.ts';
import type { Style } from '../core/process/text-style.ts';
import { toWords } from '../core/text/count-of.ts';
import { createSayMoment, formatDay, type SayMoment, startsDay } from '../core/text/format-moment.ts';
import { describeOmitted, formatTable, joinCurrencies, wrap } from './format-table.ts';

export interface Screen {
  /** Characters of a line. */
  readonly width: number;
  readonly style: Style;
}

export interface ResultOptions extends Screen {
  /** The time zone of the machine (IANA name); a result that names one is shown in its own. */
  readonly zone: string;
  readonly clock: Clock;
  /** Writes the commands of a text as this user can type them. */
  readonly nameCommands?: ((text: string) => string) | undefined;
}

interface Options extends Screen {
  readonly sayMoment: SayMoment;
  readonly nameCommands: (text: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the first line says. */
const inHead = ['env', 'simulated', 'asOf'];
/** Fields that stand at the end as sentences. */
const sentences = ['message', 'note', 'next'];

/** Returns the lines of a result or an error. */
export function formatResult(body: Fields, resultOptions: ResultOptions): readonly string[] {
  const zoneOfBody = typeof body.timeZone === 'string' ? body.timeZone : undefined;
  const options = toOptions({ ...resultOptions, zone: zoneOfBody ?? resultOptions.zone });
  const { style, sayMoment, nameCommands } = options;
  const said = zoneOfBody === undefined ? body : { ...body, ...sayDays(body, zoneOfBody) };
  const rest = Object.entries(said).filter(([name]) => ![...inHead, ...sentences, 'nextCursor', 'code'].includes(name));
  const head = [body.env, body.asOf].filter((one) => typeof one === 'string');
  const say = (text: unknown, tone?: Parameters<Style>[0]) =>
    typeof text !== 'string'
      ? []
      : wrap(nameCommands(text), options.width).map((line) => (tone ? style(tone, line) : line));
  return [
    ...(typeof body.code === 'string' ? say(`${body.code}: ${body.message}`, 'bad') : []),
    ...(head.length > 0 ? [style('dim', head.map((one) => sayTime(one, sayMoment)).join(' · '))] : []),
    ...formatFields(Object.fromEntries(rest), 0, options),
    ...(typeof body.code === 'string' ? [] : say(body.message)),
    ...say(body.note),
    ...say(body.next, 'dim'),
    ...say(
      typeof body.nextCursor === 'string' ? `There are more rows: add "cursor": "${body.nextCursor}".` : undefined,
      'dim',
    ),
  ];
}

const toOptions = ({ width, style, zone, clock, nameCommands = String }: ResultOptions): Options => ({
  width,
  style,
  sayMoment: createSayMoment(zone, clock),
  nameCommands,
});

function formatFields(fields: Fields, indent: number, options: Options): readonly string[] {
  const { style } = options;
  const margin = ' '.repeat(indent);
  const shown = Object.entries(fields).filter(([name, value]) => value !== undefined && !isColumnList(fields, name));
  const simple = shown.filter(([, value]) => !isNested(value));
  const nested = shown.filter(([, value]) => isNested(value));
  const width = Math.max(0, ...simple.map(([name]) => toWords(name).length));
  return [
    ...simple.flatMap(([name, value]) => {
      const room = Math.max(20, options.width - indent - width - 2);
      const [first = '', ...more] = toParagraphs(value, options).flatMap((text) => wrap(withUnit(name, text), room));
      const rest = more.map((line) => `${margin}${' '.repeat(width + 2)}${line}`);
      return [`${margin}${style('dim', toWords(name).padEnd(width))}  ${first}`, ...rest];
    }),
    ...nested.flatMap(([name, value]) => formatNested(name, value, fields, indent, options)),
  ];
}

function formatNested(
  name: string,
  value: unknown,
  fields: Fields,
  indent: number,
  options: Options,
): readonly string[] {
  const margin = ' '.repeat(indent);
  const isMain = name === 'rows' || name === 'items';
  const title = isMain ? [] : [`${margin}${options.style('strong', toWords(name))}`];
  const inner = isMain ? indent : indent + 2;
  if (!Array.isArray(value)) return [...title, ...formatFields(value as Fields, inner, options)];
  if (value.length === 0) return [...title, `${' '.repeat(inner)}${options.style('dim', 'none')}`];
  const columns = findColumns(fields, name);
  if (columns) return [...title, ...formatRows(columns, value as (readonly unknown[])[], inner, options)];
  if (value.every(isObject) && value.every((one) => Object.values(one).every((part) => !isNested(part)))) {
    const names = [...new Set(value.flatMap((one) => Object.keys(one)))];
    return [
      ...title,
      ...formatRows(
        names,
        value.map((one) => names.map((key) => one[key])),
        inner,
        options,
      ),
    ];
  }
  return [
    ...title,
    ...value.flatMap((one) =>
      isObject(one) ? [...formatFields(one, inner, options), ''] : [`${' '.repeat(inner)}${formatValue(one, options)}`],
    ),
  ];
}

/** Returns the lines of rows whose columns have these names. */
export function formatTableOf(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
  indent: number,
  resultOptions: ResultOptions,
): readonly string[] {
  return formatRows(names, rows, indent, toOptions(resultOptions));
}

function formatRows(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
  indent: number,
  options: Options,
): readonly string[] {
  const table = joinCurrencies({ names, rows });
  const cells = table.rows.map((row) => table.names.map((_, at) => formatValue(row[at], options)));
  // The rows of the result are a line each; the lists beside them are short, and have sentences.
  const wraps = indent > 0;
  const { lines, omitted } = formatTable(table.names.map(toWords), cells, { ...options, indent, wraps });
  const left = omitted.length > 0 ? describeOmitted(omitted) : undefined;
  return [
    ...lines,
    ...(left === undefined
      ? []
      : wrap(left, options.width - indent).map((line) => ' '.repeat(indent) + options.style('dim', line))),
  ];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Whether it needs lines of its own; a list of texts and numbers does not. */
const isNested = (value: unknown): boolean =>
  isObject(value) || (Array.isArray(value) && (value.length === 0 || value.some((one) => typeof one === 'object')));

/** The field that names the columns of a compact list: `columns` of `rows`, `limitColumns` of `limits`. */
const columnsOf = (name: string): string => (name === 'rows' ? 'columns' : `${name.replace(/s$/, '')}Columns`);

function findColumns(fields: Fields, name: string): readonly string[] | undefined {
  const columns = fields[columnsOf(name)];
  return Array.isArray(columns) ? columns : undefined;
}

const isColumnList = (fields: Fields, name: string): boolean =>
  Object.keys(fields).some((other) => columnsOf(other) === name);

const ofAccount = 'in the currency of the account';
/** The units of limits, by the names of their fields. */
const units: Readonly<Record<string, string>> = {
  maxOrderValue: ofAccount,
  maxDayValue: ofAccount,
  maxPriceDistance: '%',
};

const withUnit = (name: string, text: string): string =>
  Object.hasOwn(units, name) && /^\d/.test(text) ? `${text} ${units[name]}` : text;

/** A list of sentences has a paragraph for each; another value is one. */
const toParagraphs = (value: unknown, options: Options): readonly string[] =>
  Array.isArray(value) && hasSentences(value)
    ? value.map((one) => sayText(String(one), options))
    : [formatValue(value, options)];

const sayText = (text: string, { sayMoment, nameCommands }: Options): string => sayTime(nameCommands(text), sayMoment);

const hasSentences = (list: readonly unknown[]): boolean => list.some((one) => /\.$/.test(String(one)));

/** The bounds of a range that begin a day in the zone, as days: a tax year is not an hour of the day before. */
function sayDays({ since, until }: Fields, zone: string): Fields {
  const from = findDay(since, zone);
  const to = findDay(until, zone);
  return {
    ...(from === undefined ? {} : { since: formatDay(from, zone) }),
    ...(to === undefined ? {} : { until: `the end of ${formatDay(to - 1, zone)}` }),
  };
}

/** The moment (ms) of a time at which a day begins in the zone; undefined for other values. */
function findDay(value: unknown, zone: string): number | undefined {
  const at = typeof value === 'string' && isTime(value) ? Date.parse(value) : undefined;
  return at !== undefined && startsDay(at, zone) ? at : undefined;
}

function formatValue(value: unknown, options: Options): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(String).join(hasSentences(value) ? ' ' : ', ');
  return typeof value === 'object' ? JSON.stringify(value) : sayText(String(value), options);
}

/** A time of ISO 8601 as a person says it; other text as it is. */
const sayTime = (text: string, sayMoment: SayMoment): string => (isTime(text) ? sayMoment(Date.parse(text)) : text);

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
