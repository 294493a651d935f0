/**
 * Negative controls: the program with one mistake each. A campaign that does not detect them proves nothing about the
 * program without them.
 */
import type { Edit } from './edits.ts';
import type { scenarios } from './scenarios/index.ts';

export interface Mutant {
  readonly name: string;
  /** Most need one; where the program is protected twice, each protection has to go. */
  readonly edits: readonly Edit[];
  /** The scenario that detects it best. */
  readonly scenario: keyof typeof scenarios;
  /** It must be detected within this number of trials. */
  readonly within: number;
}

const commitNow = '$committed = await $commit()';

/** No order is the same as another. */
const noDuplicates: Edit = {
  in: 'findDuplicate',
  find: "return $existing ? { kind: 'existing', intent: $existing } : { kind: 'new' };",
  put: "return { kind: 'new' };",
};

/** The condition under which a draft is still being sent. */
const isStillSent = "$gate?.state === 'sending' && holdsUntil($gate.endsAt, $now, draftApprovalMs)";

export const mutants: readonly Mutant[] = [
  {
    name: 'the journal is written after the send',
    edits: [
      {
        in: 'placeOrder',
        find: commitNow,
        put: '$committed = { writeBy: Number.POSITIVE_INFINITY }; setTimeout(() => void $commit().catch(() => undefined), 40)',
      },
    ],
    scenario: 'killsAtSteps',
    within: 12,
  },
  {
    name: 'a 5xx is tried again as if it had not been sent',
    edits: [
      {
        in: 'classifyResponse',
        find: '$result.tooManyRequests && limitStatuses.has($result.status)',
        put: '$result.status >= 500 || ($result.tooManyRequests && limitStatuses.has($result.status))',
      },
    ],
    scenario: 'statuses',
    within: 40,
  },
  {
    name: 'orders leave through fetch',
    edits: [
      {
        in: 'createTransport',
        find: `async ($request) => {
          const $address = await $resolve($request);
          const $wire = await $toWire($request, $address);
          const $connection = await openConnection($origin, $limits);
          return { connection: $connection, send: async () => $result };
        }`,
        put: `async ($request) => {
          const $address = await $resolve($request);
          const $wire = await $toWire($request, $address);
          const $connection = await openConnection($origin, $limits);
          return { connection: $connection, send: async () => {
            $connection.close();
            const answer = await fetch($address, { method: $wire.method, headers: $wire.headers, body: $wire.body });
            const now = Date.now();
            return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text(), askedAt: now, answeredAt: now };
          } };
        }`,
      },
    ],
    scenario: 'redirects',
    within: 30,
  },
  {
    name: 'the approval is consumed outside of the transaction',
    edits: [
      {
        in: 'sendOnce',
        find: 'const { journal: $journal, commit: $commit } = $deps;',
        put: `const { journal: $journal } = $deps;
        const $commit = async (id, facts) => {
          const seen = await $journal.read((tx) => tx.find(id));
          if (seen?.state !== 'APPROVED') throw new ConcurrentUpdateError();
          setTimeout(() => void $deps.commit(id, facts).catch(() => undefined), 60);
          return { ...seen, state: 'SENDING', sentAt: Date.now() };
        };`,
      },
    ],
    scenario: 'approvalRaces',
    within: 12,
  },
  {
    name: 'the approval is not consumed at all',
    edits: [{ in: 'createCommit', find: 'usedAt: $now', put: '' }],
    scenario: 'approvalForms',
    within: 12,
  },
  {
    name: 'coalescing is off',
    edits: [noDuplicates],
    scenario: 'sameOrderRaces',
    within: 16,
  },
  {
    name: 'a connection that breaks after the send counts as none',
    edits: [{ in: 'placeOrder', find: "kind: 'lost'", put: "kind: 'not_connected'" }],
    scenario: 'resets',
    within: 12,
  },
  {
    name: 'every 4xx is taken for a refusal',
    edits: [
      {
        in: 'classifyResponse',
        find: 'const { code: $code, provesRefusal: $proves } = describeHttpError($status, $blocked);',
        put: 'const { code: $code } = describeHttpError($status, $blocked); const $proves = $status >= 400 && $status < 500;',
      },
    ],
    scenario: 'statuses',
    within: 40,
  },
  {
    name: 'a store that cannot be written is no reason to stop',
    edits: [
      {
        in: 'placeOrder',
        find: commitNow,
        put: '$committed = await $commit().catch(() => ({ writeBy: Number.POSITIVE_INFINITY }))',
      },
    ],
    scenario: 'failingWrites',
    within: 3,
  },
  {
    name: 'the end of an approval is not looked at',
    edits: [
      { in: 'staleReason', find: 'isOverdue($intent, $now)', put: 'false' },
      { in: 'writeBy', find: '$approval?.expiresAt', put: 'undefined' },
    ],
    scenario: 'approvalEnds',
    // Another process can record the end first, which hides the mistake: one trial in fifteen shows it.
    within: 200,
  },
  {
    name: 'a form is a yes whatever is in it',
    edits: [
      {
        in: 'confirm',
        find: 'isSameDecimal($given, $wanted)',
        put: 'isSameDecimal($wanted, $wanted)',
      },
    ],
    scenario: 'approvalForms',
    within: 12,
  },
  {
    name: 'no turns, and nothing that holds two orders apart',
    edits: [
      { in: 'createAccountLock', find: 'if (!$isFree && $held.intentId !== $intentId) return false;', put: '' },
      { in: 'createCommit', find: "if (!isAbandoned($other, $processes, $now)) return 'busy';", put: 'continue;' },
      { in: 'versions', text: 'CREATE UNIQUE INDEX one_in_flight', put: 'CREATE INDEX one_in_flight' },
    ],
    scenario: 'differentOrderRaces',
    within: 24,
  },
  {
    name: 'the key is written to standard error',
    edits: [
      {
        in: 'createTransport',
        find: 'authorization: $getAuthorization($credentials)',
        put: 'authorization: (process.stderr.write(formatAuthorization($credentials)), $getAuthorization($credentials))',
      },
    ],
    scenario: 'refusalsForRate',
    within: 2,
  },
  {
    name: 'no lease, no compare-and-set, and nothing else that gives a leg to one process',
    edits: [
      { in: 'takeLease', find: 'holdsUntil($leaseUntil, $now, leaseMs)', put: 'false' },
      { in: 'placeNext', find: 'requireTurn: $check', put: 'requireTurn: async () => undefined' },
      { in: 'claimLeg', find: 'if ($claimed !== 1) throw $error;', put: '' },
      { in: 'versions', text: 'CREATE UNIQUE INDEX one_intent_per_leg', put: 'CREATE INDEX one_intent_per_leg' },
      noDuplicates,
    ],
    scenario: 'submissionRaces',
    within: 16,
  },
  {
    name: 'a leg is committed after its draft was stopped',
    edits: [{ in: 'submissionRefusal', find: isStillSent, put: '$gate && $now < $gate.endsAt' }],
    scenario: 'submissionStops',
    within: 20,
  },
  {
    name: 'an old version of a draft can be submitted',
    edits: [{ in: 'requireVersion', find: '$version === $seen', put: '$version >= $seen' }],
    scenario: 'submissionEdits',
    within: 4,
  },
  {
    name: 'a leg that may be live is in the next version',
    edits: [
      {
        in: 'unsentStates',
        find: "new Set(['REFUSED', ...$$others])",
        put: "new Set(['UNKNOWN', 'REFUSED', ...$$others])",
      },
    ],
    scenario: 'submissionKills',
    within: 16,
  },
  {
    name: 'a leg with an unknown outcome stops nothing',
    edits: [
      {
        in: 'getNextStep',
        find: 'return stopAfter($leg, $intent, $now);',
        put: "if ($intent.state !== 'UNKNOWN') return stopAfter($leg, $intent, $now);",
      },
    ],
    scenario: 'submissionRaces',
    within: 40,
  },
  {
    name: 'the end of the approval of a draft is not looked at',
    edits: [
      { in: 'submissionRefusal', find: isStillSent, put: "$gate?.state === 'sending'" },
      {
        in: 'draftApprovalRefusal',
        find: '$now < $approval.approvedAt + draftApprovalMs && $now >= $approval.approvedAt - clockSlackMs',
        put: 'true',
      },
      { in: 'getNextStep', find: 'isPastEnd($submission, $now)', put: 'false' },
    ],
    scenario: 'submissionApprovals',
    within: 16,
  },
  {
    name: 'buys leave before sells',
    edits: [
      {
        in: 'readDraftFacts',
        find: '[...$numbered.filter($isSell), ...$numbered.filter($isBuy)]',
        put: '[...$numbered.filter($isBuy), ...$numbered.filter($isSell)]',
      },
    ],
    scenario: 'submissionRaces',
    within: 16,
  },
  {
    name: 'a buy does not wait for the sells that pay for it',
    edits: [{ in: 'getNextStep', find: '!$leg.isDependent', put: 'true' }],
    scenario: 'submissionFills',
    within: 2,
  },
];
