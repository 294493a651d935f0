/** Counters and histograms, written as text for Prometheus (exposition format 0.0.4). */

export type Labels = Readonly<Record<string, string>>;

/** A value that is read when the metrics are requested; an undefined value is left out. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly (readonly [Labels, number | undefined])[];
}

export interface Prometheus {
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
