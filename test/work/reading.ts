import { parseExactJson } from '../../src/core/broker/response/exact-json.ts';
import { readData } from '../../src/core/broker/response/parse-response.ts';
import { createRedactor } from '../../src/core/broker/response/redact.ts';
import { endpoints } from '../../src/core/endpoints/index.ts';
import { escapeFormulas } from '../../src/features/history/reports/escape-formulas.ts';
import { readReportSlices } from '../../src/features/history/reports/read-report.ts';
import { createInstrumentResolver } from '../../src/features/history/reports/resolve-ticker.ts';
import type { WorkCase, WorkCases } from './case.ts';

const listOf = <Row>(count: number, make: (n: number) => Row): string =>
  JSON.stringify(Array.from({ length: count }, (_, n) => make(n)));

const instruments = (count: number) =>
  listOf(count, (n) => ({
    ticker: `SYM${n}_US_EQ`,
    type: 'STOCK',
    workingScheduleId: 56,
    isin: `US${1e9 + n}`,
    currencyCode: 'USD',
    name: `Some company number ${n} Incorporated plc`,
    shortName: `SYM${n}`,
    maxOpenQuantity: 12_345.67 + n,
    addedOn: '2018-07-12T07:10:11.000+03:00',
    extendedHours: true,
  }));

/** Text in strings that resembles a number with an exponent, so that every number is inspected. */
const nearlyLossy = (count: number) =>
  listOf(count, (n) => ({
    ticker: 'ABC_US_EQ',
    maxOpenQuantity: 1234.5678,
    name: `Some 1e5 company ${n} "quoted"`,
    note: 'x'.repeat(120),
  }));

/** Invalid JSON, of about this many characters; reading it fails. */
const hostile = (textOf: (length: number) => string): WorkCase => ({
  counted: [20_000, 160_000],
  full: 2_000_000,
  prepare: (length) => {
    const text = textOf(length);
    return () => {
      try {
        return parseExactJson(text);
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    };
  },
});

const disguised = (piece: string): WorkCase => ({
  counted: [20_000, 160_000],
  full: 500_000,
  prepare: (length) => {
    const redactor = createRedactor(['s3cr3tOfTheOwner', 'a-long-key-of-the-broker']);
    const text = piece.repeat(length / piece.length);
    return () => redactor.text(text);
  },
});

const report = {
  header:
    'Action,Time,ISIN,Ticker,Name,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total)',
  row: (n: number) =>
    `Market sell,2025-06-02 09:30:15,US0000000001,T${n % 400},"Example, Inc",EOF${n},2.5000000000,101.5000,USD,1.27000000,-3.10,GBP,199.50,GBP`,
};

const cells = (piece: string): WorkCase => ({
  counted: [20_000, 160_000],
  full: 4_000_000,
  prepare: (length) => {
    // The x ends the last formula, and the number that is nearly one.
    const text = `${piece.repeat(length / piece.length)}x`;
    return () => escapeFormulas(text);
  },
});

export const readingCases: WorkCases = {
  'reading the list of instruments': {
    counted: [200, 1_600],
    full: 15_000,
    prepare: (count) => {
      const text = instruments(count);
      return () => readData({ endpoint: endpoints.listInstruments }, text);
    },
  },
  'JSON with what looks like long numbers': {
    counted: [200, 1_600],
    full: 15_000,
    prepare: (count) => {
      const text = nearlyLossy(count);
      return () => parseExactJson(text);
    },
  },
  'a string of escaped quotes that does not end': hostile((length) => `[1e1,"${'\\"'.repeat(length / 2)}`),
  'a string of backslashes that does not end': hostile((length) => `[1e1,"${'\\'.repeat(length)}`),
  'nothing but quotes': hostile((length) => `[1e1${'"'.repeat(length + 1)}`),
  'nothing but brackets': hostile((length) => `1e1${'['.repeat(length)}`),
  'nothing but exponents': hostile((length) => `[${'1e'.repeat(length / 2)}`),
  'nothing but minus signs': hostile((length) => `[${'-'.repeat(length)}1e1`),
  'a number without end': hostile((length) => `[${'9'.repeat(length)}`),
  'nothing but keys that are numbers': hostile((length) => `[${'1:'.repeat(length / 2)}1e1`),
  'nothing but spaces': hostile((length) => `[1e1${' '.repeat(length)}`),
  'a text that is nearly a secret with blanks': disguised('s 3 c r 3 t O f T h e O w n e '),
  'a text that is a secret with blanks, many times': disguised('s 3 c r 3 t O f T h e O w n e r '),
  'a text of entities': disguised('&#115;'),
  'a text of beginnings of entities': disguised('&#1&#x1&a'),
  'the rows of a report': {
    counted: [200, 1_600],
    full: 20_000,
    prepare: (count) => {
      const rows = Array.from({ length: count }, (_, n) => report.row(n));
      const text = `${[report.header, ...rows].join('\n')}\n`;
      return () =>
        [
          ...readReportSlices(
            text,
            createInstrumentResolver(() => undefined),
          ),
        ].length;
    },
  },
  'cells of ordinary rows': cells('Market buy,2025-06-01 09:30:15,US0000000001,"Example, Inc",-12.50,GBP\r\n'),
  'cells of nothing but formulas': cells('=,'),
  'one cell that is nearly a number': cells('-1'.padEnd(60, '1')),
};
