/** The text of /metrics, read by rules of its own: the exposition format 0.0.4, line by line. */
import { expect, test } from 'vitest';
import { createMetrics, createPrometheus } from '../../src/app/metrics.ts';
import { createManualClock } from '../support/manual-clock.ts';

const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const sample = new RegExp(String.raw`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(${label}(?:,${label})*)\})? (\S+)$`);

/** Every series and its value. Throws for a line that no scraper would take. */
function parse(text: string): Map<string, number> {
  const series = new Map<string, number>();
  let family = '';
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.slice(0, -1).split('\n')) {
    const [, told, name = ''] = /^# (HELP|TYPE) ([a-z_]+) \S.*$/.exec(line) ?? [];
    if (told === 'HELP') family = name;
    else if (told) expect(name).toBe(family);
    else {
      const [, of = '', labels = '', value] = sample.exec(line) ?? [];
      // A series follows the head of its family, and appears once.
      expect(of.replace(/_(bucket|sum|count)$/, ''), line).toBe(family.replace(/_(sum|count)$/, ''));
      expect(series.has(`${of}{${labels}}`), line).toBe(false);
      expect(Number(value), line).not.toBeNaN();
      series.set(`${of}{${labels}}`, Number(value));
    }
  }
  return series;
}

test('counters add up, and labels are escaped', () => {
  const { counter, text } = createPrometheus();
  const add = counter('things_total', 'Things.');
  add({ kind: 'a' });
  add({ kind: 'a' }, 2.5);
  add({ kind: 'a "b"\\\n' });
  const series = parse(
    text([
      {
        name: 'now',
        help: 'Now.',
        values: [
          [{}, 7],
          [{ gone: 'x' }, undefined],
        ],
      },
    ]),
  );
  expect([...series]).toEqual([
    ['things_total{kind="a"}', 3.5],
    [String.raw`things_total{kind="a \"b\"\\\n"}`, 1],
    ['now{}', 7],
  ]);
});

test('a histogram counts each value in every bucket whose bound it does not exceed', () => {
  const { histogram, text } = createPrometheus();
  const observe = histogram('took_seconds', 'Took.', [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 3]) observe({ tool: 't' }, value);
  expect([...parse(text([]))]).toEqual([
    ['took_seconds_bucket{tool="t",le="0.1"}', 2],
    ['took_seconds_bucket{tool="t",le="1"}', 3],
    ['took_seconds_bucket{tool="t",le="+Inf"}', 4],
    ['took_seconds_sum{tool="t"}', 3.65],
    ['took_seconds_count{tool="t"}', 4],
  ]);
});

test('the labels of a server’s metrics are tool, endpoint and status only', async () => {
  const clock = createManualClock({ startAt: 0 });
  const metrics = createMetrics(clock, { version: '1.2.3', environment: 'live' });
  const run = metrics.withCallMetrics(async (name) => {
    await clock.advance(2_000);
    return name === 'bad'
      ? { isError: true, text: 'secret', body: {} as never }
      : { isError: false, text: 'secret', body: {} as never };
  });
  const signal = new AbortController().signal;
  await run('list_positions', { ticker: 'SECRET_EQ' }, { signal });
  await run('bad', {}, { signal });
  const endpoint = { id: 'listPies' } as Parameters<typeof metrics.broker.onRequest>[0];
  metrics.broker.onRequest(endpoint, 200, false);
  metrics.broker.onRequest(endpoint, 429, true);
  metrics.broker.onRequest(endpoint, undefined, false);
  metrics.broker.onLimitWait(endpoint, 1_500);
  metrics.onHttpAnswer(401);

  const work = { openOrders: { pending_approval: 1, unknown: 2 }, approvalsWaiting: 1, hasStoreError: true };
  const text = metrics.text({ sessions: 3, connections: { trusted: 2, untrusted: 1 }, memoryBytes: 5, work });
  const series = parse(text);
  expect(text).not.toMatch(/secret/i);
  expect(Object.fromEntries(series)).toMatchObject({
    'brokerage_mcp_tool_calls_total{tool="list_positions",result="ok"}': 1,
    'brokerage_mcp_tool_calls_total{tool="bad",result="error"}': 1,
    'brokerage_mcp_tool_call_duration_seconds_bucket{tool="bad",le="1"}': 0,
    'brokerage_mcp_tool_call_duration_seconds_bucket{tool="bad",le="2.5"}': 1,
    'brokerage_mcp_tool_call_duration_seconds_sum{tool="bad"}': 2,
    'brokerage_mcp_upstream_requests_total{endpoint="listPies",status="2xx"}': 1,
    'brokerage_mcp_upstream_requests_total{endpoint="listPies",status="4xx"}': 1,
    'brokerage_mcp_upstream_requests_total{endpoint="listPies",status="lost"}': 1,
    'brokerage_mcp_upstream_refused_total{endpoint="listPies"}': 1,
    'brokerage_mcp_limit_waits_total{endpoint="listPies"}': 1,
    'brokerage_mcp_limit_wait_seconds_total{endpoint="listPies"}': 1.5,
    'brokerage_mcp_http_answers_total{status="401"}': 1,
    'brokerage_mcp_orders_open{outcome="unknown"}': 2,
    'brokerage_mcp_approvals_waiting{}': 1,
    'brokerage_mcp_store_trouble{}': 1,
    'brokerage_mcp_sessions{}': 3,
    'brokerage_mcp_connections{kind="trusted"}': 2,
    'brokerage_mcp_connections{kind="untrusted"}': 1,
    'process_resident_memory_bytes{}': 5,
    'brokerage_mcp_build_info{version="1.2.3",environment="live"}': 1,
  });
  // Before the first client the state of the store is unknown, so no metric shows it.
  const before = parse(
    metrics.text({ sessions: 0, connections: { trusted: 0, untrusted: 0 }, memoryBytes: 5, work: undefined }),
  );
  expect([...before.keys()].filter((name) => /orders_open|approvals|trouble/.test(name))).toEqual([]);
});
