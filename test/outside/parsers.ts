/**
 * Runs each parser of outside text on each shape, and prints the outcomes as JSON. A process of its own, so that a test
 * can give it a small heap.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createBroker } from '../../src/broker/index.ts';
import { type EndpointId, endpoints, reportFile } from '../../src/catalogue/index.ts';
import { systemClock } from '../../src/clock.ts';
import { BrokerageError } from '../../src/errors.ts';
import { openReport } from '../../src/history/reports/read-report.ts';
import { readJsonText } from '../../src/hosts/jsonc-parse.ts';
import { readTomlText } from '../../src/hosts/toml-parse.ts';
import { parseCostEntries } from '../../src/settings/cost-entries.ts';
import { parseReportableIncome } from '../../src/settings/reportable-income.ts';
import { createMemoryRecords } from '../../src/store/memory-records.ts';
import { jsonShapes, tableShapes } from './shapes.ts';

const mebibyte = 1024 * 1024;

let body: Buffer = Buffer.alloc(0);
let encoding = 'identity';
const service = createServer((_, response) => response.setHeader('content-encoding', encoding).end(body));
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

/** The service's answer with this body, as a tool gets it. */
function ask(endpoint: (typeof endpoints)[EndpointId] | typeof reportFile, request: object = {}) {
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
  return broker.call(endpoint as never, request as never, {
    priority: 'read',
    deadlineAt: systemClock.now() + 120_000,
  });
}

const serviceBody = (id: EndpointId, bytes: number) => ({
  bytes,
  shapes: jsonShapes,
  parse: async (text: string) => {
    body = Buffer.from(text);
    encoding = 'identity';
    const request = endpoints[id].path.includes('{') ? { path: { id: '1' } } : {};
    await ask(endpoints[id], request);
  },
});

const report = (compress: boolean) => ({
  bytes: 32 * mebibyte - 1_000,
  shapes: tableShapes,
  parse: async (text: string) => {
    body = compress ? gzipSync(text) : Buffer.from(text);
    encoding = compress ? 'gzip' : 'identity';
    const { data } = await ask(reportFile, { link: `${origin}/report.csv` });
    await openReport(data as unknown as string, { resolveTicker: () => undefined });
  },
});

const parsers: Readonly<
  Record<
    string,
    {
      readonly bytes: number;
      readonly shapes: Readonly<Record<string, (bytes: number) => string>>;
      readonly parse: (text: string) => unknown;
    }
  >
> = {
  'the list of instruments': serviceBody('listInstruments', 12 * mebibyte),
  'the list of positions': serviceBody('listPositions', 2 * mebibyte),
  'a page of orders': serviceBody('listHistoricalOrders', 2 * mebibyte),
  'the account summary': serviceBody('getAccountSummary', mebibyte / 8),
  'a report': report(false),
  'a compressed report': report(true),
  'the file of a host in JSON': { bytes: 4 * mebibyte, shapes: jsonShapes, parse: (text) => readJsonText(text) },
  'the file of a host in TOML': {
    bytes: mebibyte / 4,
    shapes: { depth: (bytes) => `a = ${jsonShapes['nothing but depth']?.(bytes)}` },
    parse: (text) => readTomlText(text),
  },
  'costBasis of config.json': {
    bytes: 1_000_000,
    shapes: {
      'one long cost': (bytes) => '9'.repeat(bytes),
      'a cost of zeros': (bytes) => `1${'0'.repeat(bytes)}`,
      'many decimals': (bytes) => `0.${'1'.repeat(bytes)}`,
    },
    parse: (cost) => parseCostEntries([{ fillId: '1', cost, currency: 'GBP' }], 'config.json'),
  },
  'eri.csv': {
    bytes: 1_000_000,
    shapes: {
      'one long amount': (bytes) => `IE00B3XXRP09,2024-06-30,${'9'.repeat(bytes)},GBP`,
      'empty cells': (bytes) => ','.repeat(bytes),
      'line ends and an x': (bytes) => `${'\n'.repeat(bytes)}x`,
    },
    parse: (rows) => parseReportableIncome(`isin,period_end,amount_per_share,currency\n${rows}`, 'eri.csv'),
  },
};

const describeError = (error: unknown): string => {
  if (!(error instanceof BrokerageError)) return (error as Error).name;
  return String(error.facts.reportFault ?? error.code);
};

const outcomes: [string, string, string][] = [];
for (const [name, { bytes, shapes, parse }] of Object.entries(parsers))
  for (const [shape, write] of Object.entries(shapes))
    outcomes.push([
      name,
      shape,
      await Promise.resolve(write(bytes))
        .then(parse)
        .then(() => 'read', describeError),
    ]);
process.stdout.write(JSON.stringify(outcomes));
process.exit();
