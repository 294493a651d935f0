/**
 * Negative controls: the program with one mistake each. A campaign that does not detect them proves nothing about the
 * program without them.
 */
import type { Edit } from './build.ts';
import type { scenarios } from './scenarios/index.ts';

export interface Mutant {
  readonly name: string;
  /** Most need one change; where the program is protected twice, each protection has to go. */
  readonly edits: readonly Edit[];
  /** The scenario that detects it best. */
  readonly scenario: keyof typeof scenarios;
  /** It must be detected within this number of trials. */
  readonly within: number;
}

const commitNow = 'committed = await commit();';
const sendNow =
  'return { connection, send: async () => redacted(request, await connection.send(wire, getLimits(request))) };';
const lookThenCommit = 'const committed = await commit(intent.id, facts);';

const anyIntent = "return existing ? { kind: 'existing', intent: existing } : { kind: 'new' };";
const whileSending =
  "if (gate?.state === 'sending' && holdsUntil(gate.endsAt, now, draftApprovalMs)) return undefined;";

export const mutants: readonly Mutant[] = [
  {
    name: 'the journal is written after the send',
    edits: [
      {
        file: 'broker/place-order.ts',
        find: commitNow,
        put: 'committed = { writeBy: Number.POSITIVE_INFINITY }; setTimeout(() => void commit().catch(() => undefined), 40);',
      },
    ],
    scenario: 'killsAtSteps',
    within: 12,
  },
  {
    name: 'a 5xx is tried again as if it had not been sent',
    edits: [
      {
        file: 'orders/send/classify.ts',
        find: "    event: 'lose',\n    reason: `The broker returned status ",
        put: "    ...(result.status >= 500 ? { event: 'limit', retryAfterSeconds: 0 } : { event: 'lose' }),\n    reason: `The broker returned status ",
      },
    ],
    scenario: 'statuses',
    within: 40,
  },
  {
    name: 'orders leave through fetch',
    edits: [
      {
        file: 'broker/transport/transport.ts',
        find: sendNow,
        put: `return { connection, send: async () => {
          connection.close();
          const answer = await fetch(address, { method: wire.method, headers: wire.headers, body: wire.body });
          const now = deps.clock.now();
          return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text(), askedAt: now, answeredAt: now };
        } };`,
      },
    ],
    scenario: 'redirects',
    within: 30,
  },
  {
    name: 'the approval is consumed outside of the transaction',
    edits: [
      {
        file: 'orders/send/send-order.ts',
        find: lookThenCommit,
        put: `const seen = await journal.read((tx) => tx.find(intent.id));
        if (seen?.state !== 'APPROVED') throw new ConcurrentUpdateError();
        setTimeout(() => void commit(intent.id, facts).catch(() => undefined), 60);
        const committed = { ...seen, state: 'SENDING', sentAt: deps.clock.now() };`,
      },
    ],
    scenario: 'approvalRaces',
    within: 12,
  },
  {
    name: 'the approval is not consumed at all',
    edits: [
      {
        file: 'orders/send/commit.ts',
        find: 'approval: { ...intent.approval, usedAt: now }',
        put: 'approval: { ...intent.approval }',
      },
    ],
    scenario: 'approvalForms',
    within: 12,
  },
  {
    name: 'coalescing is off',
    edits: [
      {
        file: 'orders/intent/duplicates.ts',
        find: anyIntent,
        put: "return { kind: 'new' };",
      },
    ],
    scenario: 'sameOrderRaces',
    within: 16,
  },
  {
    name: 'a connection that breaks after the send counts as none',
    edits: [
      {
        file: 'broker/place-order.ts',
        find: "result = { kind: 'lost', reason: ",
        put: "result = { kind: 'not_connected', reason: ",
      },
    ],
    scenario: 'resets',
    within: 12,
  },
  {
    name: 'every 4xx is taken for a refusal',
    edits: [
      {
        file: 'orders/send/classify.ts',
        find: 'if (provesRefusal) {',
        put: 'if (result.status >= 400 && result.status < 500) {',
      },
    ],
    scenario: 'statuses',
    within: 40,
  },
  {
    name: 'a store that cannot be written is no reason to stop',
    edits: [
      {
        file: 'broker/place-order.ts',
        find: commitNow,
        put: 'committed = await commit().catch(() => ({ writeBy: Number.POSITIVE_INFINITY }));',
      },
    ],
    scenario: 'failingWrites',
    within: 3,
  },
  {
    name: 'the end of an approval is not looked at',
    edits: [
      {
        file: 'orders/send/commit.ts',
        find: "if (approval && isOverdue(intent, now)) return 'The approval expired before the order was sent.';",
        put: '',
      },
      {
        file: 'orders/send/send-order.ts',
        find: 'approval?.expiresAt ?? Number.POSITIVE_INFINITY',
        put: 'Number.POSITIVE_INFINITY',
      },
    ],
    scenario: 'approvalEnds',
    // Another process can record the end first, which hides the mistake: one trial in fifteen shows it.
    within: 200,
  },
  {
    name: 'a form is a yes whatever is in it',
    edits: [
      {
        file: 'orders/approval/approval-service.ts',
        find: 'return isSameDecimal(confirmQuantity, intent.request.quantity)\n      ?',
        put: 'return isSameDecimal(intent.request.quantity, intent.request.quantity)\n      ?',
      },
    ],
    scenario: 'approvalForms',
    within: 12,
  },
  {
    name: 'no turns, and nothing that holds two orders apart',
    edits: [
      {
        file: 'orders/send/account-lock.ts',
        find: 'if (!isFree && held.intentId !== intentId) return false;',
        put: '',
      },
      {
        file: 'orders/send/commit.ts',
        find: "if (!isAbandoned(other, deps.processes, now)) return 'busy';",
        put: 'continue;',
      },
      { file: 'store/migrations.ts', find: 'CREATE UNIQUE INDEX one_in_flight', put: 'CREATE INDEX one_in_flight' },
    ],
    scenario: 'differentOrderRaces',
    within: 24,
  },
  {
    name: 'the key is written to standard error',
    edits: [
      {
        file: 'broker/transport/transport.ts',
        find: 'const credentials = request.link ? undefined : await deps.credentials();',
        put: `const credentials = request.link ? undefined : await deps.credentials();
        if (credentials) process.stderr.write(formatAuthorization(credentials));`,
      },
    ],
    scenario: 'refusalsForRate',
    within: 2,
  },
  {
    name: 'no lease, no compare-and-set, and nothing else that gives a leg to one process',
    edits: [
      {
        file: 'drafting/submission/runner.ts',
        find: 'if (isOthers && holdsUntil(leaseUntil, now, leaseMs)) return undefined;',
        put: '',
      },
      {
        file: 'drafting/submission/runner.ts',
        find: 'requireTurn: (tx: JournalView) => requireTurn(deps, tx as SubmissionView, leg),',
        put: 'requireTurn: async () => undefined,',
      },
      {
        file: 'store/submissions.ts',
        find: "if (claimed !== 1) throw new Error('The leg of the submission has an intent.');",
        put: '',
      },
      {
        file: 'store/migrations.ts',
        find: 'CREATE UNIQUE INDEX one_intent_per_leg',
        put: 'CREATE INDEX one_intent_per_leg',
      },
      { file: 'orders/intent/duplicates.ts', find: anyIntent, put: "return { kind: 'new' };" },
    ],
    scenario: 'submissionRaces',
    within: 16,
  },
  {
    name: 'a leg is committed after its draft was stopped',
    edits: [
      { file: 'orders/send/commit.ts', find: whileSending, put: 'if (gate && now < gate.endsAt) return undefined;' },
    ],
    scenario: 'submissionStops',
    within: 20,
  },
  {
    name: 'an old version of a draft can be submitted',
    edits: [
      {
        file: 'drafting/book/find-draft.ts',
        find: 'if (version === seen) return;',
        put: 'if (version >= seen) return;',
      },
    ],
    scenario: 'submissionEdits',
    within: 4,
  },
  {
    name: 'a leg that may be live is in the next version',
    edits: [
      {
        file: 'drafting/submission/next-step.ts',
        find: "new Set<string>(['REFUSED',",
        put: "new Set<string>(['UNKNOWN', 'REFUSED',",
      },
    ],
    scenario: 'submissionKills',
    within: 16,
  },
  {
    name: 'a leg with an unknown outcome stops nothing',
    edits: [
      {
        file: 'drafting/submission/next-step.ts',
        find: 'else return stopAfter(leg, intent, now);',
        put: "else if (intent.state !== 'UNKNOWN') return stopAfter(leg, intent, now);",
      },
    ],
    scenario: 'submissionRaces',
    within: 40,
  },
  {
    name: 'the end of the approval of a draft is not looked at',
    edits: [
      { file: 'orders/send/commit.ts', find: whileSending, put: "if (gate?.state === 'sending') return undefined;" },
      { file: 'orders/approval/draft-approval.ts', find: 'const isInTime =', put: 'const isInTime = true ||' },
      { file: 'drafting/submission/next-step.ts', find: 'if (isPastEnd(submission, now))', put: 'if (now < 0)' },
    ],
    scenario: 'submissionApprovals',
    within: 16,
  },
  {
    name: 'buys leave before sells',
    edits: [
      {
        file: 'drafting/submission/draft-facts.ts',
        find: `    ...numbered.filter(({ leg }) => leg.side === 'SELL'),
    ...numbered.filter(({ leg }) => leg.side === 'BUY'),`,
        put: '    ...numbered.toSorted((a, b) => a.leg.side.localeCompare(b.leg.side)),',
      },
    ],
    scenario: 'submissionRaces',
    within: 16,
  },
  {
    name: 'a buy does not wait for the sells that pay for it',
    edits: [
      {
        file: 'drafting/submission/next-step.ts',
        find: 'if (!leg.isDependent) return',
        put: 'return',
      },
    ],
    scenario: 'submissionFills',
    within: 2,
  },
];
