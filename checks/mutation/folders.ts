import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operators } from './mutants.ts';

/** The folders whose faults cost money, each with the tests that hold its rules. */
export interface MutatedFolder {
  /** A folder below `src` with all that is in it; `FOLDER/*.ts` for the files beside its folders. */
  readonly source: string;
  /** `usual` where undefined. */
  readonly operators?: Operators;
  /** The names of the files that take part; all where undefined. */
  readonly files?: readonly string[];
  /** Folders and files below `test`; the nearest first, because the first test that fails ends a search. */
  readonly tests: readonly string[];
  /** Whether the tests that need PostgreSQL or other processes take part; they take long. */
  readonly withProcesses?: boolean;
  /** The lowest score that passes, in percent. */
  readonly minScore: number;
  /** Files whose score must be higher, by name. */
  readonly minScores?: Readonly<Record<string, number>>;
}

export const folders = {
  intent: { source: 'orders/intent', tests: ['orders/intent', 'orders', 'security'], minScore: 85 },
  risk: { source: 'orders/risk', tests: ['orders/risk', 'orders', 'security'], minScore: 85 },
  send: {
    source: 'orders/send',
    tests: ['orders/send', 'orders', 'security'],
    minScore: 85,
    minScores: { 'commit.ts': 90 },
  },
  reconcile: { source: 'orders/reconcile', tests: ['orders/reconcile', 'orders', 'security'], minScore: 85 },
  approval: {
    source: 'orders/approval',
    tests: ['orders/approval', 'orders', 'approval', 'security', 'drafting'],
    minScore: 90,
  },
  enrollment: { source: 'orders/enrollment', tests: ['orders/enrollment', 'orders', 'security'], minScore: 85 },
  book: { source: 'drafting/book', tests: ['drafting/book', 'drafting', 'security'], minScore: 85 },
  planner: { source: 'drafting/planner', tests: ['drafting/planner'], minScore: 85 },
  drafting: { source: 'drafting/*.ts', tests: ['drafting', 'mcp/tools', 'security'], minScore: 85 },
  recurring: {
    source: 'drafting/recurring',
    tests: ['drafting/recurring', 'drafting', 'mcp/tools', 'cli'],
    minScore: 85,
  },
  submission: { source: 'drafting/submission', tests: ['drafting/submission', 'drafting', 'security'], minScore: 85 },
  store: { source: 'store', tests: ['store', 'orders', 'drafting'], withProcesses: true, minScore: 85 },
  placing: { source: 'orders/*.ts', tests: ['orders/placing', 'orders', 'security'], minScore: 85 },
  account: { source: 'orders/account', tests: ['orders/account', 'orders', 'security', 'drafting'], minScore: 85 },
  halt: { source: 'orders/halt', tests: ['orders/halt', 'orders', 'security', 'drafting'], minScore: 85 },
  page: {
    source: 'approval/page',
    // What decides who may do what. The other files write text and tables.
    files: [
      'csrf.ts',
      'decision-form.ts',
      'draft-approval-handlers.ts',
      'draft-handlers.ts',
      'form.ts',
      'headers.ts',
      'one-time.ts',
      'order-handlers.ts',
      'page-handlers.ts',
      'page-routes.ts',
      'page-server.ts',
      'request-guards.ts',
      'script-faults.ts',
      'subject.ts',
    ],
    tests: ['approval/page', 'security'],
    minScore: 85,
  },
  'rate-limit': {
    source: 'broker/rate-limit',
    tests: ['broker/rate-limit', 'broker/interceptors', 'stored-times.test.ts', 'broker'],
    minScore: 90,
  },
  guard: { source: 'broker/*.ts', tests: ['broker', 'stored-times.test.ts', 'orders/placing'], minScore: 85 },
  responses: { source: 'broker/response', tests: ['broker', 'orders/send'], minScore: 85 },
  transport: { source: 'broker/transport', tests: ['broker', 'orders/send'], minScore: 85 },
  interceptors: { source: 'broker/interceptors', tests: ['broker', 'orders/placing'], minScore: 85 },
  gains: { source: 'analytics/realized', tests: ['analytics/realized', 'checks/gains', 'analytics'], minScore: 85 },
  'tax-pack': {
    source: 'mcp/tax-pack',
    tests: ['mcp/tax-pack', 'cli/tax-pack.test.ts', 'cli/tax-pack-gaps.test.ts'],
    minScore: 85,
  },
  figures: { source: 'analytics/*.ts', tests: ['analytics', 'mcp/tools/analytics'], minScore: 85 },
  answers: { source: 'mcp/*.ts', tests: ['mcp', 'security'], minScore: 85 },
  tools: { source: 'mcp/tools', tests: ['mcp', 'security'], minScore: 85 },
  commands: { source: 'cli', tests: ['cli', 'security'], minScore: 85 },
  history: { source: 'history/*.ts', tests: ['history', 'mcp/tools'], minScore: 85 },
  reports: { source: 'history/reports', tests: ['history'], minScore: 85 },
  import: { source: 'history/import', tests: ['history'], minScore: 85 },
  inspection: {
    source: 'store',
    // What reads the store without a process: it names the damage.
    files: ['audit.ts', 'fallback-records.ts', 'inspect-content.ts', 'open-store.ts', 'store-witness.ts'],
    tests: ['store'],
    minScore: 85,
  },
  market: { source: 'market', tests: ['market'], minScore: 85 },
  doctor: { source: 'doctor', tests: ['doctor'], minScore: 85 },
  'forgotten-by-orders': {
    source: 'orders',
    operators: 'properties',
    tests: ['orders', 'security', 'drafting'],
    minScore: 85,
  },
  'forgotten-by-drafts': {
    source: 'drafting',
    operators: 'properties',
    tests: ['drafting', 'mcp/tools', 'security', 'cli'],
    minScore: 85,
  },
  'forgotten-by-tools': { source: 'mcp/tools', operators: 'properties', tests: ['mcp', 'security'], minScore: 85 },
  'forgotten-by-commands': { source: 'cli', operators: 'properties', tests: ['cli', 'security'], minScore: 85 },
  'forgotten-by-approval': {
    source: 'approval',
    operators: 'properties',
    tests: ['approval', 'security', 'cli'],
    minScore: 85,
  },
  'mixed-up-by-orders': {
    source: 'orders',
    operators: 'mixups',
    tests: ['orders', 'security', 'drafting'],
    minScore: 85,
  },
  'mixed-up-by-drafts': {
    source: 'drafting',
    operators: 'mixups',
    tests: ['drafting', 'mcp/tools', 'security', 'cli'],
    minScore: 85,
  },
  'mixed-up-by-approval': {
    source: 'approval',
    operators: 'mixups',
    tests: ['approval', 'security', 'cli'],
    minScore: 85,
  },
  'mixed-up-by-guard': { source: 'broker', operators: 'mixups', tests: ['broker', 'orders/placing'], minScore: 85 },
  'mixed-up-by-store': { source: 'store', operators: 'mixups', tests: ['store', 'orders', 'drafting'], minScore: 85 },
  'mixed-up-by-answers': { source: 'mcp', operators: 'mixups', tests: ['mcp', 'views', 'security'], minScore: 85 },
  'mixed-up-by-commands': { source: 'cli', operators: 'mixups', tests: ['cli', 'security'], minScore: 85 },
} as const satisfies Record<string, MutatedFolder>;

/** The source files of a folder, sorted. */
export function listSources({ source, files }: MutatedFolder): readonly string[] {
  const isFlat = source.endsWith('/*.ts');
  const folder = join('src', isFlat ? source.slice(0, -'/*.ts'.length) : source);
  const names = readdirSync(folder, { recursive: !isFlat, encoding: 'utf8' });
  return names
    .filter((name) => (files ? files.includes(name) : name.endsWith('.ts')))
    .sort()
    .map((name) => join(folder, name));
}
