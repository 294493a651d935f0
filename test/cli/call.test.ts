/** What call prints: JSON for programs, and tables for a person in a terminal. */
// @module-tag server
import { expect, test } from 'vitest';
import { formatResult } from '../../src/cli/format-result.ts';
import { createStyle } from '../../src/process/style.ts';
import { createSayMoment } from '../../src/say-moment.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

const screens = {
  output: { isTerminal: true, columns: 80 },
  errors: { isTerminal: true, columns: 80 },
};

async function newAccount() {
  const folder = await makeStateFolder('brokerage-mcp-call-');
  return { HOME: folder, BROKER_STATE_DIR: folder, NO_COLOR: '1' };
}

test('call prints the result as a table in a terminal, and as JSON with --json and in a pipe', async () => {
  const env = await newAccount();
  const [shown, asked, piped] = [
    await runCommand(['call', 'list_positions'], env, { screens }),
    await runCommand(['call', 'list_positions', '--json'], env, { screens }),
    await runCommand(['call', 'list_positions'], env),
  ];
  const { columns, rows, positions } = JSON.parse(asked.stdout);
  expect(JSON.parse(piped.stdout)).toMatchObject({ columns, positions });
  const lines = shown.stdout.trimEnd().split('\n');
  const at = lines.findIndex((line) => line.startsWith('ticker '));
  const tickers = lines.slice(at + 1, at + 1 + rows.length).map((line) => line.split(' ')[0]);
  expect(tickers).toEqual(rows.map(([ticker]: string[]) => ticker));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(shown.stdout).not.toContain('\u001b');
});

test('an error in a terminal has its code, its sentence and what to do', async () => {
  const { code, stdout } = await runCommand(['call', 'get_order', '{"orderId": true}'], await newAccount(), {
    screens,
  });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^invalid_argument: .+\n/)]);
  expect(stdout).not.toContain('{');
});

test('facts stand by name, nested ones indented, lists as tables, and times as a person says them', () => {
  const now = Date.parse('2026-11-24T06:00:00Z');
  const clock = { now: () => now, sleep: async () => undefined };
  const body = {
    env: 'sandbox',
    simulated: true,
    asOf: '2026-11-24T05:59:00.000Z',
    openNow: false,
    warnings: ['one', 'two'],
    cash: { inPies: '37.55', blocked: null },
    checks: [{ check: 'cash', ok: true }],
    limitColumns: ['endpoint', 'free'],
    limits: [['GET /x', 1]],
    intents: [],
    nextCursor: 'abc',
    columns: ['ticker', 'nextAt'],
    rows: [['QA', '2026-11-25T08:00:00.000Z']],
    message: 'All is well.',
  };
  const options = { width: 80, style: createStyle({}, false), sayMoment: createSayMoment('Europe/London', clock) };
  expect(formatResult(body, options)).toEqual([
    'sandbox · today 05:59',
    'open now  no',
    'warnings  one, two',
    'cash',
    '  in pies  37.55',
    '  blocked  –',
    'checks',
    '  check  ok',
    '  cash   yes',
    'limits',
    '  endpoint  free',
    '  GET /x       1',
    'intents',
    '  none',
    'ticker  next at',
    'QA      tomorrow 08:00',
    'All is well.',
    'There are more rows: add "cursor": "abc".',
  ]);
});
