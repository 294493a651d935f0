/** The parsers of text from outside, with the most that reaches each. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { createBroker } from '../../src/core/broker/index.ts';
import { parseNextPage } from '../../src/core/broker/paginate.ts';
import { parseRateLimitHeaders } from '../../src/core/broker/rate-limit/release.ts';
import { createRedactor } from '../../src/core/broker/response/redact.ts';
import { systemClock } from '../../src/core/clock.ts';
import { toAmount, toDecimalString } from '../../src/core/endpoints/decimal.ts';
import { type Endpoint, endpoints, reportFile } from '../../src/core/endpoints/index.ts';
import { parseJson } from '../../src/core/http/request-body.ts';
import { boundInput } from '../../src/core/mcp/transport-guards.ts';
import { loadSettings } from '../../src/core/settings/load-settings.ts';
import { parseCostEntries, parseReportableIncome, readDate } from '../../src/core/settings/tax-entries.ts';
import { createMemoryRecords } from '../../src/core/store/fallback-records.ts';
import { parseTimestamp } from '../../src/core/text/dates.ts';
import { parseTimestamp as parseCellTime, readDecimal } from '../../src/features/history/reports/parse-cell.ts';
import { openReport } from '../../src/features/history/reports/read-report.ts';
import { readJsonText } from '../../src/setup/hosts/jsonc-parse.ts';
import { readTomlText } from '../../src/setup/hosts/toml-parse.ts';
import { gzipShapes, jsonShapes, ordinaryTable, type Shapes, tableShapes, valueShapes } from './shapes.ts';

const mebibyte = 1024 * 1024;
const maxReportBytes = 32 * mebibyte - 1_000;

export interface Parser {
  /** The most that reaches it. */
  readonly bytes: number;
  readonly shapes: Shapes;
  /** Refuses or reads. Throws what the program reports. A result of false means refused, without a code. */
  readonly parse: (given: Buffer) => unknown;
  /** A second part of the work, on the result of the first: its turns are counted alone. */
  readonly finish?: (parsed: never) => Promise<unknown>;
  /** Bytes of which `finish` leaves a turn to other work. */
  readonly bytesPerTurn?: number;
}

let body: Buffer = Buffer.alloc(0);
let status = 200;
let encoding = 'identity';
const service = createServer((_, response) => response.writeHead(status, { 'content-encoding': encoding }).end(body));
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

/** The service's answer with this body, as a tool gets it. */
function ask(endpoint: Endpoint, given: Buffer, how: { status?: number; encoding?: string; request?: object } = {}) {
  body = given;
  status = how.status ?? 200;
  encoding = how.encoding ?? 'identity';
  const broker = createBroker({
    origin,
    accountKey: async () => 'account',
    credentials: async () => ({ key: 'a-key-of-the-owner', secret: 'a-secret-of-the-owner' }),
    records: createMemoryRecords(),
    clock: systemClock,
    random: Math.random,
    owner: 'process',
    readOnly: false,
  });
  const request = how.request ?? (endpoint.path.includes('{') ? { id: '1' } : {});
  return broker.call(endpoint as never, request as never, {
    priority: 'read',
    deadlineAt: systemClock.now() + 120_000,
  });
}

/** Bytes that the transport accepts, or more, so that its own bound counts as well. */
const bodyBytes = ({ id }: Endpoint): number => (id === endpoints.listInstruments.id ? 12 : 2) * mebibyte;

const fetchFile = async (given: Buffer, encoding: string): Promise<string> => {
  const { data } = await ask(reportFile, given, { encoding, request: { link: `${origin}/report.csv` } });
  return data as unknown as string;
};

/** A report as the import reads it, in slices of 128 Ki characters. */
const fileParser = (bytes: number, shapes: Shapes, encode: (given: Buffer) => Buffer, encoding: string): Parser => ({
  bytes,
  shapes,
  parse: (given) => fetchFile(encode(given), encoding),
  finish: (text) => openReport(text, { resolveTicker: () => undefined }),
  bytesPerTurn: 128 * 1024,
});
const unchanged = (given: Buffer) => given;

/** Every endpoint that is read. */
const answers = Object.values(endpoints)
  .filter(({ effect }) => effect === 'read')
  .map((endpoint): [string, Parser] => [
    `the answer of ${endpoint.id}`,
    { bytes: bodyBytes(endpoint), shapes: jsonShapes, parse: (given) => ask(endpoint, given) },
  ]);

/** A parser of text that returns undefined for what it refuses. */
const refuses = (parse: (text: string) => unknown) => (given: Buffer) => parse(given.toString('latin1')) !== undefined;

const values: Readonly<Record<string, Parser['parse']>> = {
  'a number of the service': refuses(toDecimalString),
  'a number of a report': refuses(readDecimal),
  'an amount of a person': refuses(toAmount),
  'a time of a report': refuses(parseCellTime),
  'a time of a model': refuses(parseTimestamp),
  'a date of a person': refuses((text) => (Number.isNaN(readDate(text)) ? undefined : true)),
  'the headers of a limit': refuses((text) => {
    const names = ['x-ratelimit-limit', 'x-ratelimit-period', 'x-ratelimit-reset', 'x-ratelimit-remaining'];
    const found = parseRateLimitHeaders({ ...Object.fromEntries(names.map((name) => [name, text])), date: text });
    return Object.values(found).every((value) => value === undefined || Number.isFinite(value)) ? found : undefined;
  }),
  'the next page of a list': (given) => parseNextPage(endpoints.listHistoricalOrders, given.toString('latin1')),
};

const httpLimits = { jsonDepth: 64, jsonValues: 20_000 };

/** One line, and another one that must still pass. */
async function readLine(given: Buffer): Promise<boolean> {
  let refused = 0;
  const next = '{"id":1}\n';
  const passed: Buffer[] = [];
  const input = Readable.from([given, Buffer.from(`\n${next}`)]);
  for await (const part of boundInput(input, () => refused++)) passed.push(part as Buffer);
  if (!Buffer.concat(passed).toString().endsWith(next)) throw new Error('the line after it is lost');
  return refused === 0;
}

const outside = (text: string) => ({
  argv: [],
  env: { HOME: '/home/owner' },
  platform: 'linux' as const,
  readFile: () => text,
  hasFile: () => true,
  getFileMode: () => 0o600,
});

export const parsers: Readonly<Record<string, Parser>> = {
  ...Object.fromEntries(answers),
  'the answer of a write': {
    bytes: 2 * mebibyte,
    shapes: jsonShapes,
    parse: (given) => ask(endpoints.cancelOrder, given),
  },
  'an error of the service': {
    bytes: 2 * mebibyte,
    shapes: jsonShapes,
    parse: (given) => ask(endpoints.getAccountSummary, given, { status: 403 }),
  },
  'a report': fileParser(maxReportBytes, tableShapes, unchanged, 'identity'),
  'an ordinary report': fileParser(maxReportBytes, { 'ordinary rows': ordinaryTable }, unchanged, 'identity'),
  'a compressed report': fileParser(
    maxReportBytes,
    { ...tableShapes, 'ordinary rows': ordinaryTable },
    (given) => gzipSync(given),
    'gzip',
  ),
  'a compressed body': fileParser(64 * mebibyte, gzipShapes, unchanged, 'gzip'),
  'a file in which secrets are hidden': {
    bytes: maxReportBytes,
    shapes: {
      'ordinary rows': ordinaryTable,
      NULs: tableShapes.NULs,
      'rows of one cell': tableShapes['rows of one cell'],
    },
    parse: (given) => given.toString('latin1'),
    finish: (text) => createRedactor(['a-key-of-the-owner', 'a-secret-of-the-owner']).file(text),
    // Parts of 256 Ki characters, each up to the end of a line.
    bytesPerTurn: 512 * 1024,
  },
  'a line of standard input': { bytes: 4 * mebibyte, shapes: jsonShapes, parse: readLine },
  'a body over HTTP': {
    bytes: 256 * 1024,
    shapes: jsonShapes,
    parse: (given) => 'json' in parseJson(given, httpLimits as never),
  },
  'the file of a host in JSON': {
    bytes: 4 * mebibyte,
    shapes: jsonShapes,
    parse: (given) => readJsonText(given.toString()),
  },
  'the file of a host in TOML': {
    bytes: mebibyte / 4,
    shapes: { depth: (bytes) => `a = ${jsonShapes['nothing but depth'](bytes)}` },
    parse: (given) => readTomlText(given.toString()),
  },
  'config.json': {
    bytes: mebibyte,
    shapes: jsonShapes,
    parse: (given) => loadSettings({}, outside(given.toString())),
  },
  'a setting of config.json': {
    bytes: mebibyte,
    shapes: jsonShapes,
    parse: (given) => loadSettings({}, outside(`{"taxZone":${given.toString()}}`)),
  },
  'costBasis of config.json': {
    bytes: mebibyte,
    shapes: valueShapes,
    parse: (given) => parseCostEntries([{ fillId: '1', cost: given.toString(), currency: 'GBP' }], 'config.json'),
  },
  'an entry of costBasis': {
    bytes: mebibyte,
    shapes: jsonShapes,
    parse: (given) => parseCostEntries([JSON.parse(given.toString())], 'config.json'),
  },
  'eri.csv': {
    bytes: mebibyte,
    shapes: {
      ...tableShapes,
      'one long amount': (bytes) => `IE00B3XXRP09,2024-06-30,${'9'.repeat(bytes)},GBP`,
      'empty cells': (bytes) => ','.repeat(bytes),
      'line ends and an x': (bytes) => `${'\n'.repeat(bytes)}x`,
    },
    parse: (given) =>
      parseReportableIncome(`isin,period_end,amount_per_share,currency\n${given.toString()}`, 'eri.csv'),
  },
  ...Object.fromEntries(
    Object.entries(values).map(([name, parse]): [string, Parser] => [
      name,
      { bytes: mebibyte, shapes: valueShapes, parse },
    ]),
  ),
};
