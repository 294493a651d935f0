/** The results as one table, and its place in docs/conformance.md. */
import { table } from '../campaign/result-table.ts';
import type { Scenario, SuiteResult } from './suite-result.ts';
import { suite } from './versions.ts';

export interface Line {
  readonly who: string;
  readonly versions: string;
  readonly over: string;
  readonly revision: string;
  readonly result: string;
}

/** One client over one transport, when it has done everything. */
export interface Visit {
  readonly name: string;
  readonly version: string;
  readonly mode?: string | undefined;
  readonly over: 'stdio' | 'HTTP';
  readonly revision: string;
}

/** Why scenarios that no revision requires fail or cannot run: what the product omits on purpose. */
const reasons: readonly (readonly [prefix: string, reason: string])[] = [
  ['tasks-', 'the tasks extension is not offered'],
  ['server-sse-polling', 'a lost stream is not resumed'],
];

const reasonOf = ({ name }: Scenario) => reasons.find(([prefix]) => name.startsWith(prefix))?.[1];

/** Scenarios beyond the required ones that fail and should not. */
export const unexplained = ({ others }: SuiteResult): readonly string[] =>
  others
    .filter((scenario) => scenario.outcome === 'failed' && reasonOf(scenario) === undefined)
    .flatMap(({ name, failures }) => failures.map((failure) => `${name} failed: ${failure}`));

/** The result for one revision, in words. */
export function suiteLine(revision: string, { required, others }: SuiteResult): Line {
  const those = (scenarios: readonly Scenario[], outcome: Scenario['outcome']) =>
    scenarios.filter((scenario) => scenario.outcome === outcome).length;
  const counts = (
    [
      ['passed', 'passed'],
      ['failed', 'failed'],
      ['skipped', 'could not be tried'],
    ] as const
  ).flatMap(([outcome, words]) => {
    const count = those(others, outcome);
    return count > 0 ? [`${count} ${words}`] : [];
  });
  const why = new Set(others.filter(({ outcome }) => outcome !== 'passed').flatMap((one) => reasonOf(one) ?? []));
  const more = `of ${others.length} others ${counts.join(', ')}`;
  return {
    who: suite.name,
    versions: suite.version,
    over: 'HTTP',
    revision,
    result: `${those(required, 'passed')} of ${required.length} required scenarios passed; ${more}${why.size > 0 ? `: ${[...why].join('; ')}` : ''}`,
  };
}

/** Versions that spoke the same revision over the same transports share a line. */
export function clientLines(visits: readonly Visit[], result: string): readonly Line[] {
  const lines = visits.map(({ name, version, mode, over, revision }) => ({
    who: mode ? `${name} (${mode})` : name,
    versions: version,
    over: over as string,
    revision,
    result,
  }));
  return joined(joined(lines, 'over'), 'versions');
}

/** Merges lines that differ in one column only into one with all of its values. */
function joined(lines: readonly Line[], column: keyof Line): readonly Line[] {
  const groups = new Map<string, Line>();
  for (const line of lines) {
    const key = JSON.stringify({ ...line, [column]: '' });
    const before = groups.get(key);
    groups.set(key, before ? { ...before, [column]: `${before[column]}, ${line[column]}` } : line);
  }
  return [...groups.values()];
}

export const lineTable = (lines: readonly Line[]): string =>
  table([
    ['client or suite', 'version', 'over', 'revision', 'result'],
    ...lines.map(({ who, versions, over, revision, result }) => [`\`${who}\``, versions, over, revision, result]),
  ]);

const place = /(<!-- conformance:begin [^>]*-->\n\n)([\s\S]*?)(\n\n<!-- conformance:end -->)/;

/** The document with this table in its place. Throws when it has none. */
export function withTable(readme: string, text: string): string {
  if (!place.test(readme)) throw new Error('docs/conformance.md has no markers for the conformance table.');
  return readme.replace(place, (_, begin, __, end) => `${begin}${text}${end}`);
}

/** The table in the document; undefined when there is none. */
export const tableIn = (readme: string): string | undefined => place.exec(readme)?.[2];
