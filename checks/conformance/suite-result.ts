/** The output of a run of the suite, read as facts: its exit code does not distinguish a run of no scenario. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface Scenario {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Checks that failed, and advice that is not followed. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

export interface SuiteResult {
  readonly required: readonly Scenario[];
  /** Extensions, and scenarios that came later or that the suite's own server cannot pass. */
  readonly others: readonly Scenario[];
  /** Why the run is no success; empty when it is one. */
  readonly faults: readonly string[];
}

/** The scenarios that a server must pass, from what the suite's `list --requirements` says. */
export function requiredScenarios(listing: string): readonly string[] {
  const [, section = ''] = /^Server scenarios[^\n]*\n((?: {2}- .*\n)+)/m.exec(listing) ?? [];
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name as string);
}

/** One folder for each scenario that ran: `server-NAME-TIME/checks.json`, or without a kind for other parts of the suite. */
export function readScenarios(folder: string, kind = 'server'): readonly Scenario[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((entry) => {
    const [, name] = new RegExp(`^${kind}-(.+)-\\d{4}-\\d{2}-\\d{2}T[\\d-]+Z$`).exec(entry) ?? [];
    const file = join(folder, entry, 'checks.json');
    // A scenario that crashed has a folder and no result: it is reported as missing below.
    return name && existsSync(file) ? [readScenario(name, JSON.parse(readFileSync(file, 'utf8')))] : [];
  });
}

function readScenario(name: string, checks: readonly Check[]): Scenario {
  const those = (status: Check['status']) =>
    checks
      .filter((check) => check.status === status)
      .map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`.slice(0, 300));
  const failures = those('FAILURE');
  const outcome = failures.length > 0 ? 'failed' : those('SUCCESS').length > 0 ? 'passed' : 'skipped';
  return { name, outcome, failures, warnings: those('WARNING') };
}

/** What is wrong with a run, by its results, what was required of it, and how it ended. */
export function judge(run: {
  readonly scenarios: readonly Scenario[];
  readonly requiredNames: readonly string[];
  /** How many there must be at least. */
  readonly requiredCount: number;
  readonly exitCode: number | null;
}): SuiteResult {
  const { scenarios, requiredNames, requiredCount, exitCode } = run;
  const required = scenarios.filter(({ name }) => requiredNames.includes(name));
  const ran = new Set(required.map(({ name }) => name));
  const faults = [
    ...(requiredNames.length === requiredCount
      ? []
      : [`The suite requires ${requiredNames.length} scenarios, and ${requiredCount} were expected.`]),
    ...requiredNames.filter((name) => !ran.has(name)).map((name) => `${name} did not run.`),
    ...required.flatMap(({ name, outcome, failures }) => {
      if (outcome === 'failed') return failures.map((failure) => `${name} failed: ${failure}`);
      return outcome === 'passed' ? [] : [`${name} checked nothing.`];
    }),
    ...(exitCode === 0 ? [] : [`The suite ended with ${exitCode}.`]),
  ];
  return { required, others: scenarios.filter(({ name }) => !requiredNames.includes(name)), faults };
}
