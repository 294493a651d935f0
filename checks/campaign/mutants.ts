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
        find: "return existing ? { kind: 'existing', intent: existing } : { kind: 'new' };",
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
        find: 'return sameDecimal(confirmQuantity, intent.request.quantity)\n      ?',
        put: 'return sameDecimal(intent.request.quantity, intent.request.quantity)\n      ?',
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
        find: "if (!isAbandoned(other, parts.processes, now)) return 'busy';",
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
];
