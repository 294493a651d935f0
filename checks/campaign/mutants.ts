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
  /** Its mistake makes every process wait, so it runs beside the others. */
  readonly waits?: true;
  /** Set where the mistake shows in a store of this kind only. */
  readonly store?: 'postgres';
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

/** No draft is the same as another: without it, an equal draft hides that a plan was drafted twice. */
const noEqualDrafts: Edit = { in: 'createDraft', find: 'if ($equal) return toSaved($equal);', put: '' };

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
        find: '!$found.isFilledIn($form)',
        put: 'false',
      },
    ],
    scenario: 'approvalForms',
    within: 12,
  },
  {
    name: 'no turns, and nothing that holds two orders apart',
    edits: [
      { in: 'createAccountLock', find: 'isHeldByOther($held, $processes, $clock.now(), maxLeaseMs)', put: 'false' },
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
      { in: 'takeLease', find: 'isHeldByOther($lease, $processes, $now, leaseMs)', put: 'false' },
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
    edits: [
      { in: 'submissionRefusal', find: isStillSent, put: '$gate && $now < $gate.endsAt' },
      { in: 'endSubmission', find: 'isWaitingIntent($intent, $now)', put: 'false' },
    ],
    scenario: 'submissionStops',
    within: 4,
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
        in: 'readFacts',
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
  {
    name: 'a buy waits for the first of its sells alone',
    edits: [{ in: 'waitForFills', find: '!$sells.some($isPending)', put: '!$sells.slice(0, 1).some($isPending)' }],
    scenario: 'submissionFills',
    within: 4,
  },
  {
    name: 'legs that wait for an approval reserve nothing',
    edits: [
      {
        in: 'readSubmissions',
        text: 'WHERE s.account = ? AND s.state IN',
        put: "WHERE s.account = ? AND s.state = 'sending' AND s.state IN",
      },
    ],
    scenario: 'limitSums',
    within: 12,
  },
  {
    name: 'own orders that the broker does not list yet are forgotten',
    edits: [
      {
        in: 'unlisted',
        find: '$askedAt < correctTime($changedAt, $intent, $now) + lagMs',
        put: '$askedAt < correctTime($changedAt, $intent, $now)',
      },
    ],
    scenario: 'limitSums',
    within: 12,
  },
  {
    name: 'cash that an order takes is there until the broker shows it',
    edits: [{ in: 'mayMissIn', find: '$askedAt < $placedAt + lagMs', put: '$askedAt < $placedAt' }],
    scenario: 'limitSums',
    within: 12,
  },
  {
    name: 'orders that the broker rejected do not count',
    edits: [{ in: 'listOrderTimes', find: '$intent.sentAt !== undefined', put: 'false' }],
    scenario: 'limitSums',
    within: 12,
  },
  {
    name: 'the day of an order begins when it is created',
    edits: [{ in: 'dayValue', find: 'getPlacedAt($intent, $now)', put: '$intent.createdAt' }],
    scenario: 'limitSums',
    within: 12,
  },
  {
    name: 'the window of duplicates begins when the order is created',
    edits: [{ in: 'isLiveOrder', find: 'getPlacedAt($intent, $now)', put: '$intent.createdAt' }],
    scenario: 'limitSums',
    within: 12,
  },
  {
    name: 'the digest of a leg leaves the stop price out',
    edits: [{ in: 'legDigest', find: 'stopPrice: $value', put: 'nothing: $value' }],
    scenario: 'submissionApprovals',
    waits: true,
    within: 4,
  },
  {
    name: 'the expiry is not in the digest of a draft',
    edits: [{ in: 'draftDigest', find: 'expiresAt: $value', put: 'nothing: $value' }],
    scenario: 'submissionApprovals',
    within: 4,
  },
  {
    name: 'requests of other processes do not count in a rate limit',
    edits: [
      {
        in: 'acquireSlot',
        find: 'computeTurn($state, $now, $ahead)',
        put: 'computeTurn({ ...$state, slots: $state.slots.filter((slot) => slot.owner === $state.slots.at(-1)?.owner) }, $now, $ahead)',
      },
    ],
    scenario: 'sharedRates',
    within: 6,
  },
  {
    name: 'requests of other programs do not count in a rate limit',
    edits: [{ in: 'countForeign', find: 'length: $foreign', put: 'length: 0' }],
    scenario: 'sharedRates',
    within: 6,
  },
  {
    name: 'a refusal for the rate does not stop other requests',
    edits: [{ in: 'blockAfter', find: '!$end.refused', put: 'true' }],
    scenario: 'sharedRates',
    within: 6,
  },
  {
    name: 'the fifth wrong passphrase does not lock the page',
    edits: [
      { in: 'withFailure', find: '$failed.failures >= maxPageFailures', put: '$failed.failures > maxPageFailures' },
    ],
    scenario: 'pageLockouts',
    within: 4,
  },
  {
    name: 'a passphrase that is being checked does not count as wrong',
    edits: [
      {
        in: 'createSecurity',
        find: 'const $next = withFailure($channel, $kept, $now);',
        put: 'return withFailure($channel, $kept, $now);',
      },
    ],
    scenario: 'pageLockouts',
    within: 4,
  },
  {
    name: 'a record of the audit trail is not compared with the one before',
    edits: [{ in: 'verifyChain', find: '$row.previous !== $last.hash', put: 'false' }],
    scenario: 'auditTrails',
    within: 4,
  },
  {
    name: 'the end of the audit trail is not compared with its head',
    edits: [{ in: 'verifyChain', find: '$head.seq === $last.seq && $head.hash === $last.hash', put: 'true' }],
    scenario: 'auditTrails',
    within: 8,
  },
  {
    name: 'a plan is drafted by each process that sees it due',
    edits: [{ in: 'findOpenPeriod', find: 'holdsUntil($claim?.until, $now, claimMs)', put: 'false' }, noEqualDrafts],
    scenario: 'duePlans',
    within: 4,
  },
  {
    name: 'the lease of a dead process is respected until it ends',
    edits: [{ in: 'isHeld', find: '$processes.isAlive($lease.owner)', put: 'true' }],
    scenario: 'submissionKills',
    waits: true,
    within: 4,
  },
  {
    name: 'PostgreSQL: two processes write at the same time',
    edits: [{ in: 'beginStatements', text: 'pg_advisory_xact_lock(', put: 'pg_advisory_xact_lock_shared(' }],
    scenario: 'sameOrderRaces',
    store: 'postgres',
    within: 28,
  },
  {
    name: 'PostgreSQL: a change sees the store as it was before its turn',
    edits: [{ in: 'beginUnderLock', text: 'READ COMMITTED', put: 'REPEATABLE READ' }],
    scenario: 'sameOrderRaces',
    store: 'postgres',
    within: 16,
  },
  {
    name: 'PostgreSQL: a process that lives counts as dead',
    edits: [{ in: 'createMembers', find: 'Math.abs($silent) <= deadAfterMs', put: 'false' }],
    scenario: 'differentOrderRaces',
    store: 'postgres',
    within: 24,
  },
  {
    name: 'a try to read the file of a report counts after it has ended',
    edits: [{ in: 'takeFile', find: 'await countTry($records, $reportId)', put: '1' }],
    scenario: 'killedImports',
    within: 2,
  },
  {
    name: 'an order of one account is sent with the key of another',
    edits: [
      {
        in: 'createCommit',
        find: '$intent.environment !== $deps.settings.environment || $intent.accountKey !== $accountKey',
        put: '$intent.environment !== $deps.settings.environment',
      },
      { in: 'tick', find: '$tx.list({ ...$filter, accountKey: $accountKey })', put: '$tx.list($filter)' },
    ],
    scenario: 'twoAccounts',
    within: 40,
  },
  {
    name: 'equal orders of two accounts are one order',
    edits: [{ in: 'orderFingerprint', find: '$place.accountKey', put: "''" }],
    scenario: 'twoAccounts',
    within: 40,
  },
  {
    name: 'the orders of all accounts count towards the limits of each',
    edits: [
      {
        in: 'listOwn',
        find: '$tx.list({ accountKey: $accountKey, states: exposureStates, createdSince: $createdSince })',
        put: '$tx.list({ states: exposureStates, createdSince: $createdSince })',
      },
    ],
    scenario: 'twoAccounts',
    within: 40,
  },
];
