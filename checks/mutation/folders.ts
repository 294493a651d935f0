import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Operators } from './mutants.ts';

/** The folders whose faults cost money, each with the tests that hold its rules. */
export interface MutatedFolder {
  /** Folders below `src` with all that is in them; `FOLDER/*.ts` for the files beside its folders. */
  readonly sources: readonly string[];
  /** `usual` where undefined. */
  readonly operators?: Operators;
  /** The names of the files that take part; all where undefined. */
  readonly files?: readonly string[];
  /**
   * Folders and files below `test`, or `FOLDER/*.ts`; the nearest first, because the first test that fails ends a
   * search. Without tests that cannot see the sources: a mutant that lives runs all of them.
   */
  readonly tests: readonly string[];
  /** Whether the tests that need PostgreSQL or other processes take part; they take long. */
  readonly withProcesses?: boolean;
  /** The lowest score that passes, in percent. */
  readonly minScore: number;
  /** Files whose score must be higher, by name. */
  readonly minScores?: Readonly<Record<string, number>>;
}

const toolFolders = [
  'core/tools',
  'features/analytics/tools',
  'features/gains/tools',
  'features/reports/tools',
] as const;

export const folders = {
  intent: { sources: ['core/orders/intent'], tests: ['core/orders/intent', 'core/orders', 'security'], minScore: 85 },
  risk: { sources: ['core/orders/risk'], tests: ['core/orders/risk', 'core/orders', 'security'], minScore: 85 },
  send: {
    sources: ['core/orders/send'],
    tests: ['core/orders/send', 'core/orders', 'security'],
    minScore: 85,
    minScores: { 'commit.ts': 90 },
  },
  reconcile: {
    sources: ['core/orders/reconcile'],
    tests: ['core/orders/reconcile', 'core/orders', 'security'],
    minScore: 85,
  },
  approval: {
    sources: ['core/approval/*.ts'],
    tests: ['core/approval', 'core/orders', 'security', 'features/drafts'],
    minScore: 90,
  },
  enrollment: {
    sources: ['core/approval/enrollment'],
    tests: ['core/approval/enrollment', 'core/orders', 'security'],
    minScore: 85,
  },
  book: {
    sources: ['features/drafts/book'],
    tests: ['features/drafts/book', 'features/drafts', 'security'],
    minScore: 85,
  },
  planner: { sources: ['features/planner'], tests: ['features/planner'], minScore: 85 },
  assessment: {
    sources: ['features/drafts/*.ts'],
    files: ['assess-draft.ts', 'describe-draft.ts', 'draft-sentences.ts', 'draft-sheet.ts', 'draft-ticket-facts.ts'],
    tests: ['features/drafts', 'core/tools'],
    minScore: 85,
  },
  drafting: {
    sources: ['features/drafts/*.ts'],
    files: ['describe-plan.ts', 'draft-outputs.ts', 'draft-tool-deps.ts', 'draft-tools.ts', 'submit-tool.ts'],
    tests: [
      'features/drafts/*.ts',
      'features/drafts/recurring/recurring-answers.test.ts',
      'app/registry.test.ts',
      'features/drafts/submission/submit-draft.test.ts',
    ],
    minScore: 85,
  },
  plans: {
    sources: ['features/drafts/*.ts'],
    files: ['cost-history.ts', 'make-plan.ts', 'order-outlook.ts', 'plan-input.ts', 'sale-outlook.ts'],
    tests: ['features/drafts/*.ts', 'features/drafts/book', 'features/drafts/page'],
    minScore: 85,
  },
  'plan-tool': {
    sources: ['features/drafts/*.ts'],
    files: ['goal-words.ts', 'plan-errors.ts', 'plan-orders.ts'],
    tests: [
      'features/drafts/*.ts',
      'features/drafts/recurring/recurring-answers.test.ts',
      'features/drafts/book',
      'app/registry.test.ts',
    ],
    minScore: 85,
  },
  submission: {
    sources: ['features/drafts/submission'],
    files: ['check-submission.ts', 'draft-facts.ts', 'submission.ts', 'submissions.ts', 'submit-draft.ts'],
    tests: ['features/drafts/submission', 'features/drafts', 'security'],
    minScore: 85,
  },
  'submission-runner': {
    sources: ['features/drafts/submission'],
    files: ['end-submission.ts', 'next-step.ts', 'runner.ts', 'stop-submission.ts', 'submission-steps.ts'],
    tests: ['features/drafts/submission', 'features/drafts', 'security'],
    minScore: 85,
  },
  'draft-approval': {
    sources: ['features/drafts/submission'],
    files: [
      'announce-approval.ts',
      'approve-draft.ts',
      'describe-submission.ts',
      'draft-approvals.ts',
      'request-approval.ts',
    ],
    tests: ['features/drafts/submission', 'features/drafts', 'security'],
    minScore: 85,
  },
  store: {
    sources: ['core/store/sqlite', 'core/store/postgres', 'core/store/*.ts'],
    files: [
      'binding.ts',
      'engine.ts',
      'heartbeat.ts',
      'migrate.ts',
      'postgres-connection.ts',
      'postgres-engine.ts',
      'postgres-errors.ts',
      'sqlite-engine.ts',
    ],
    tests: ['core/store', 'core/orders', 'features/drafts'],
    withProcesses: true,
    minScore: 85,
  },
  tables: {
    sources: ['core/store'],
    files: ['draft-table.ts', 'history-table.ts', 'journal-table.ts', 'migrations.ts', 'submission-table.ts'],
    tests: ['core/store', 'core/orders', 'features/drafts', 'features/history'],
    withProcesses: true,
    minScore: 85,
  },
  placing: {
    sources: ['core/orders/*.ts', 'core/orders/account'],
    files: ['create-intent.ts', 'find-order.ts', 'place-order.ts', 'place-result.ts'],
    tests: ['core/orders/placing', 'core/orders', 'security'],
    minScore: 85,
  },
  'order-manager': {
    sources: ['core/orders/*.ts'],
    files: ['intent-runner.ts', 'order-manager.ts', 'read-orders.ts', 'tradable-account.ts', 'write-journal.ts'],
    tests: ['core/orders/placing', 'core/orders', 'security'],
    minScore: 85,
  },
  halt: {
    sources: ['core/orders/halt'],
    tests: ['core/orders/halt', 'core/orders', 'security', 'features/drafts'],
    minScore: 85,
  },
  page: {
    sources: ['core/approval/page', 'features/drafts/page'],
    // What decides who may do what. The other files write text and tables.
    files: [
      'decision-form.ts',
      'draft-approval-page.ts',
      'draft-handlers.ts',
      'order-page.ts',
      'page-reply.ts',
      'page-routes.ts',
      'page-server.ts',
      'request-guards.ts',
      'serve-page.ts',
    ],
    tests: ['core/approval/page', 'features/drafts/page', 'security'],
    minScore: 85,
  },
  'rate-limit': {
    sources: ['core/broker/rate-limit'],
    tests: ['core/broker/rate-limit', 'core/broker/interceptors', 'core/stored-times.test.ts', 'core/broker'],
    minScore: 90,
  },
  guard: {
    sources: ['core/broker/*.ts'],
    tests: ['core/broker', 'core/stored-times.test.ts', 'core/orders/placing'],
    minScore: 85,
  },
  responses: { sources: ['core/broker/response'], tests: ['core/broker', 'core/orders/send'], minScore: 85 },
  transport: { sources: ['core/broker/transport'], tests: ['core/broker', 'core/orders/send'], minScore: 85 },
  interceptors: { sources: ['core/broker/interceptors'], tests: ['core/broker', 'core/orders/placing'], minScore: 85 },
  gains: {
    sources: ['features/gains/*.ts'],
    tests: ['features/gains', 'checks/gains', 'features/analytics'],
    minScore: 85,
  },
  'tax-pack': {
    sources: ['features/tax-pack'],
    tests: ['features/tax-pack', 'cli/tax-pack.test.ts', 'features/documents/tax-pack-gaps.test.ts'],
    minScore: 85,
  },
  figures: { sources: ['features/analytics/*.ts'], tests: ['features/analytics', 'features/gains'], minScore: 85 },
  history: { sources: ['features/history/*.ts'], tests: ['features/history'], minScore: 85 },
  reports: {
    sources: ['features/history/reports', 'features/reports/import'],
    tests: ['features/history', 'features/reports'],
    minScore: 85,
  },
  inspection: {
    sources: ['core/store'],
    files: ['inspect-content.ts', 'audit-table.ts', 'store-location.ts', 'fallback-records.ts', 'open-store.ts'],
    tests: ['core/store', 'setup/doctor'],
    minScore: 85,
  },
  market: {
    sources: ['features/search', 'core/instruments'],
    tests: ['features/search', 'core/instruments', 'core/tools'],
    minScore: 85,
  },
  doctor: { sources: ['setup/doctor'], tests: ['setup/doctor'], minScore: 85 },
  answers: { sources: ['core/mcp/*.ts'], tests: ['core/mcp', 'security'], minScore: 85 },
  tools: { sources: toolFolders, tests: ['core/tools', 'core/mcp', 'features', 'security'], minScore: 85 },
  commands: { sources: ['cli'], tests: ['cli', 'security'], minScore: 85 },
  'forgotten-by-orders': {
    sources: ['core/orders'],
    operators: 'properties',
    tests: ['core/orders', 'security', 'features/drafts'],
    minScore: 85,
  },
  'forgotten-by-drafts': {
    sources: ['features/drafts', 'features/planner'],
    operators: 'properties',
    tests: ['features/drafts', 'features/planner', 'core/tools', 'security', 'cli'],
    minScore: 85,
  },
  'forgotten-by-tools': {
    sources: toolFolders,
    operators: 'properties',
    tests: ['core/tools', 'core/mcp', 'features', 'security'],
    minScore: 85,
  },
  'forgotten-by-commands': { sources: ['cli'], operators: 'properties', tests: ['cli', 'security'], minScore: 85 },
  'forgotten-by-approval': {
    sources: ['core/approval'],
    operators: 'properties',
    tests: ['core/approval', 'security', 'cli'],
    minScore: 85,
  },
  'mixed-up-by-orders': {
    sources: ['core/orders'],
    operators: 'mixups',
    tests: ['core/orders', 'security', 'features/drafts'],
    minScore: 85,
  },
  'mixed-up-by-drafts': {
    sources: ['features/drafts', 'features/planner'],
    operators: 'mixups',
    tests: ['features/drafts', 'features/planner', 'core/tools', 'security', 'cli'],
    minScore: 85,
  },
  'mixed-up-by-approval': {
    sources: ['core/approval'],
    operators: 'mixups',
    tests: ['core/approval', 'security', 'cli'],
    minScore: 85,
  },
  'mixed-up-by-guard': {
    sources: ['core/broker'],
    operators: 'mixups',
    tests: ['core/broker', 'core/orders/placing'],
    minScore: 85,
  },
  'mixed-up-by-store': {
    sources: ['core/store'],
    operators: 'mixups',
    tests: ['core/store', 'core/orders', 'features/drafts'],
    minScore: 85,
  },
  'mixed-up-by-answers': {
    sources: ['core/mcp', 'core/http', ...toolFolders, 'features/guides', 'features/search'],
    operators: 'mixups',
    tests: ['core', 'features', 'security'],
    minScore: 85,
  },
  'mixed-up-by-commands': { sources: ['cli'], operators: 'mixups', tests: ['cli', 'security'], minScore: 85 },
} as const satisfies Record<string, MutatedFolder>;

/** The source files of a folder, sorted. Throws for the name of a file that no source has. */
const flat = '/*.ts';

/** The files of a folder, or of `FOLDER/*.ts`, below a top folder. */
function listFiles(top: 'src' | 'test', path: string): string[] {
  const isFlat = path.endsWith(flat);
  const folder = join(top, isFlat ? path.slice(0, -flat.length) : path);
  return readdirSync(folder, { recursive: !isFlat, encoding: 'utf8' }).map((name) => join(folder, name));
}

/** The tests of a folder as paths: folders as they are, and the files of `FOLDER/*.ts`. */
export const listTests = ({ tests }: MutatedFolder): readonly string[] =>
  tests.flatMap((path) =>
    path.endsWith(flat) ? listFiles('test', path).filter((name) => name.endsWith('.test.ts')) : [join('test', path)],
  );

export function listSources({ sources, files }: MutatedFolder): readonly string[] {
  const listed = sources.flatMap((source) => listFiles('src', source));
  const missing = files?.filter((name) => !listed.some((path) => basename(path) === name)) ?? [];
  if (missing.length > 0) throw new Error(`No file of ${sources.join(', ')} has the name ${missing.join(' or ')}`);
  return listed.filter((path) => (files ? files.includes(basename(path)) : path.endsWith('.ts'))).sort();
}
