/** The metrics of a server. They contain names of tools and endpoints, and numbers: no ticker, amount, id or key. */

import type { BrokerObserver } from '../core/broker/observer.ts';
import type { Clock } from '../core/clock.ts';
import type { RunTool } from '../core/mcp/run-tool.ts';
import type { RuntimeGauges } from './tool-runtime.ts';

interface MetricsSources {
  readonly sessions: number;
  readonly connections: { readonly trusted: number; readonly untrusted: number };
  readonly memoryBytes: number;
  /** Undefined before the runtime has started. */
  readonly work: RuntimeGauges | undefined;
}

interface Metrics {
  readonly broker: BrokerObserver;
  /** Wraps `run` and counts its calls. */
  withCallMetrics(run: RunTool): RunTool;
  onHttpAnswer(status: number): void;
  text(now: MetricsSources): string;
}

/** Seconds: from a response out of the cache to the longest possible call. */
const bounds = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 25, 50];

/** Creates the metrics of one server; `text` writes them in the format of Prometheus. */
export function createMetrics(
  clock: Clock,
  about: { readonly version: string; readonly environment: string },
): Metrics {
  const { counter, histogram, text } = createPrometheus();
  const calls = counter('brokerage_mcp_tool_calls_total', 'Completed tool calls, by tool and result.');
  const seconds = histogram('brokerage_mcp_tool_call_duration_seconds', 'Duration of tool calls.', bounds);
  const requests = counter(
    'brokerage_mcp_upstream_requests_total',
    'Requests to the broker, by endpoint and class of status; lost means that no complete response arrived.',
  );
  const refused = counter(
    'brokerage_mcp_upstream_refused_total',
    'Requests that the broker refused because of the rate limit (429).',
  );
  const waits = counter('brokerage_mcp_limit_waits_total', 'Requests that had to wait for the account’s rate limit.');
  const waited = counter('brokerage_mcp_limit_wait_seconds_total', 'Planned duration of those waits.');
  const answers = counter('brokerage_mcp_http_answers_total', 'HTTP responses to clients, by status.');
  return {
    broker: {
      onRequest: ({ id: endpoint }, status, isRateLimited) => {
        requests({ endpoint, status: status === undefined ? 'lost' : `${Math.floor(status / 100)}xx` });
        if (isRateLimited) refused({ endpoint });
      },
      onLimitWait: ({ id: endpoint }, waitMs) => {
        waits({ endpoint });
        waited({ endpoint }, waitMs / 1000);
      },
    },
    withCallMetrics: (run) => async (tool, args, options) => {
      const startedAt = clock.now();
      const result = await run(tool, args, options);
      calls({ tool, result: result.isError ? 'error' : 'ok' });
      seconds({ tool }, Math.max(0, clock.now() - startedAt) / 1000);
      return result;
    },
    onHttpAnswer: (status) => answers({ status: String(status) }),
    text: (now) => text(toGauges(now, about)),
  };
}

function toGauges(
  { sessions, connections, memoryBytes, work }: MetricsSources,
  about: { readonly version: string; readonly environment: string },
): Gauge[] {
  const one = (name: string, help: string, value: number | undefined): Gauge => ({ name, help, values: [[{}, value]] });
  return [
    {
      name: 'brokerage_mcp_orders_open',
      help: 'Orders that are not settled, by outcome; unknown orders may be live.',
      values: Object.entries(work?.openOrders ?? {}).map(([outcome, count]) => [{ outcome }, count] as const),
    },
    one('brokerage_mcp_approvals_waiting', 'Orders waiting for a human.', work?.approvalsWaiting),
    one('brokerage_mcp_store_trouble', '1 when the store cannot be used.', work && Number(work.hasStoreError)),
    one('brokerage_mcp_sessions', 'Sessions of clients that use sessions (revisions up to 2025-11-25).', sessions),
    {
      name: 'brokerage_mcp_connections',
      help: 'Open connections: trusted connections have sent the token.',
      values: Object.entries(connections).map(([kind, count]) => [{ kind }, count] as const),
    },
    one('process_resident_memory_bytes', 'Resident memory.', memoryBytes),
    {
      name: 'brokerage_mcp_build_info',
      help: 'Always 1; the labels describe the running program.',
      values: [[{ version: about.version, environment: about.environment }, 1]],
    },
  ];
}

/** Counters and histograms, written as text for Prometheus (exposition format 0.0.4). */

type Labels = Readonly<Record<string, string>>;

/** A value that is read when the metrics are requested; an undefined value is left out. */
interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly (readonly [Labels, number | undefined])[];
}

interface Prometheus {
  /** By convention the name ends in `_total`. */
  counter(name: string, help: string): (labels: Labels, by?: number) => void;
  /** `bounds` ascend; values above the last one are counted too. */
  histogram(name: string, help: string, bounds: readonly number[]): (labels: Labels, value: number) => void;
  text(gauges: readonly Gauge[]): string;
}

export function createPrometheus(): Prometheus {
  const sections: (() => string[])[] = [];
  return {
    counter: (name, help) => {
      const counts = new Map<string, number>();
      sections.push(() => [
        ...head(name, help, 'counter'),
        ...[...counts].map(([labels, count]) => `${name}${labels} ${count}`),
      ]);
      return (labels, by = 1) => {
        const key = write(labels);
        counts.set(key, (counts.get(key) ?? 0) + by);
      };
    },
    histogram: (name, help, bounds) => {
      const series = new Map<string, { labels: Labels; counts: number[]; sum: number; all: number }>();
      sections.push(() => [
        ...head(name, help, 'histogram'),
        ...[...series.values()].flatMap(({ labels, counts, sum, all }) => [
          ...bounds.map((bound, index) => `${name}_bucket${write({ ...labels, le: String(bound) })} ${counts[index]}`),
          `${name}_bucket${write({ ...labels, le: '+Inf' })} ${all}`,
          `${name}_sum${write(labels)} ${sum}`,
          `${name}_count${write(labels)} ${all}`,
        ]),
      ]);
      return (labels, value) => {
        const key = write(labels);
        const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, all: 0 };
        series.set(key, one);
        one.sum += value;
        one.all++;
        // Buckets are cumulative: each counts all values up to its bound.
        for (const [index, bound] of bounds.entries())
          if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
      };
    },
    text: (gauges) => {
      const looked = gauges.map(({ name, help, values }) => [
        ...head(name, help, 'gauge'),
        ...values.flatMap(([labels, value]) => (value === undefined ? [] : [`${name}${write(labels)} ${value}`])),
      ]);
      return `${[...sections.map((lines) => lines()), ...looked].flat().join('\n')}\n`;
    },
  };
}

const head = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

function write(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
