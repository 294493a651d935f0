/**
 * Every stored time, by the name that find-times.ts gives it. A new one is added here with what a wrong value may change:
 * by default nothing, within the time that go-on.ts gives. `change` is what a fresh program does otherwise, and `reason`
 * why that is right.
 */
import type { Outcome } from './outcome.ts';

interface Known {
  readonly reason?: string;
  /** What differs when the time is far in the future or in the past. */
  readonly future?: (as: Outcome) => Partial<Outcome>;
  readonly past?: (as: Outcome) => Partial<Outcome>;
}

const heals: Known = {};

const all = (names: readonly string[], prefix: string, known: Known): Readonly<Record<string, Known>> =>
  Object.fromEntries(names.map((name) => [`${prefix}: ${name}`, known]));

/** An order and the legs of a draft that wait do not leave: their approval is over. */
const without =
  (...quantities: readonly number[]) =>
  ({ sent }: Outcome): Partial<Outcome> => ({ sent: sent.filter((quantity) => !quantities.includes(quantity)) });

/** The approval of the order (first) or of the draft (last) that waits is over, and nothing of it leaves. */
const orderIsOver = (as: Outcome): Partial<Outcome> => ({
  ...without(31)(as),
  approvals: ['not_waiting', ...as.approvals.slice(1)],
});
const draftIsOver = (as: Outcome): Partial<Outcome> => ({
  ...without(41, 42)(as),
  approvals: [...as.approvals.slice(0, -1), 'no draft waits'],
});
const isOver = 'An approval never holds for longer than it can be given for.';

const orderTimes = ['createdAt', 'changedAt', 'baseline.askedAt'];
const approvalTimes = ['approval.askedAt', 'approval.expiresAt'];
const usedTimes = ['approval.approvedAt', 'approval.usedAt'];
const sentTimes = ['sentAt', 'answerBy'];

const isNotRecognised: Pick<Known, 'reason'> & { readonly halts: () => Partial<Outcome> } = {
  reason: 'The order at the service is not recognised by its time, so it counts as foreign, and trading halts.',
  halts: () => ({ order: 'halted', draft: 'halted', sent: [] }),
};

export const knownTimes: Readonly<Record<string, Known>> = {
  ...all(['enrolledAt', 'lastFailureAt', 'wrong.lastAt'], 'records desk security', heals),
  ...all(['at'], 'records desk halt', heals),
  ...all(['until'], 'records desk turn *', heals),
  ...all(['since', 'nextAt', 'readAt', 'orders[].at'], 'records desk external orders of *', heals),
  ...all(['askedAt', 'answeredAt', 'leader.askedAt', 'leader.until'], 'records read-head', heals),
  ...all(['*'], 'records read-index', heals),
  ...all(['slots[].takenAt', 'slots[].lostAt', 'slots[].answeredAt', 'blockedUntil'], 'records limit', heals),
  ...all(['waiters[].since', 'waiters[].expiresAt'], 'records limit', heals),
  ...all(['until'], 'records host', heals),
  ...all(['until'], 'records lease history', heals),
  ...all(['until'], 'records lease import', heals),
  ...all(['startedAt', 'until', 'oldestPositionAt', 'listedAt'], 'records history-import', heals),
  ...all(['pending[].from', 'pending[].to', 'pending[].requestedAt'], 'records history-import', heals),
  ...all([''], 'records report-requested', heals),
  // A time of the future is passed over, and one of the past has more news.
  ...all(['base.at', 'base.seenFrom', 'last.at', 'last.seenFrom'], 'records changes', heals),
  ...all(['stretches[].askedAt', 'stretches[].answeredAt', 'stretches[].lastAt'], 'records mirror', heals),
  ...all(['stretches[].reach', 'stretches[].deepest', 'stretches[].next.time'], 'records mirror', heals),
  ...all(['stretches[].boundary.trial.place', 'reports[].from', 'reports[].to'], 'records mirror', heals),
  ...all(['[].createdAt', '[].claim.dueOn', '[].claim.until'], 'records recurring-plans', heals),
  ...all(['[].last.dueOn', '[].last.at'], 'records recurring-plans', {
    reason: 'A plan that was run under a wrong clock counts as not run. A second draft of its period sends nothing.',
    future: () => ({ planned: 2 }),
  }),
  'records recurring-plans: [].last.dueOn': {
    reason: 'The period of a plan that was run for an earlier one only is due. A draft sends nothing.',
    future: () => ({ planned: 2 }),
    past: () => ({ planned: 2 }),
  },
  'snapshots.day': heals,
  ...all(['day', 'at'], 'snapshots', heals),
  'history.at': heals,
  'drafts.created_at': heals,
  'drafts.expires_at': heals,
  'draft_versions.created_at': heals,
  ...all([...orderTimes, ...approvalTimes, ...usedTimes, ...sentTimes], 'intents ended', heals),
  ...all([...orderTimes, ...approvalTimes, ...usedTimes], 'intents SENDING', heals),
  'intents SENDING: sentAt': { ...isNotRecognised, future: isNotRecognised.halts },
  'intents SENDING: answerBy': { ...isNotRecognised, past: isNotRecognised.halts },
  ...all([...orderTimes, ...approvalTimes, ...usedTimes], 'intents UNKNOWN', heals),
  'intents UNKNOWN: sentAt': { ...isNotRecognised, future: isNotRecognised.halts },
  'intents UNKNOWN: answerBy': { ...isNotRecognised, past: isNotRecognised.halts },
  ...all(['search.lostAt', 'search.nextAt', 'search.until'], 'intents UNKNOWN', heals),
  ...all(orderTimes, 'intents AWAITING_APPROVAL', heals),
  'intents AWAITING_APPROVAL: approval.askedAt': { reason: isOver, future: orderIsOver },
  'intents AWAITING_APPROVAL: approval.expiresAt': { reason: isOver, future: orderIsOver, past: orderIsOver },
  ...all(['createdAt', 'endsAt', ...approvalTimes, 'approval.approvedAt'], 'submissions ended', heals),
  ...all(['createdAt', 'approval.askedAt'], 'submissions sending', heals),
  ...all(['endsAt', 'approval.expiresAt'], 'submissions sending', {
    reason: isOver,
    future: without(14),
    past: without(14),
  }),
  'submissions sending: approval.approvedAt': {
    reason: 'The time of the approval is unknown, so the rest of the draft is not sent.',
    future: without(14),
    past: without(14),
  },
  'submissions sending: leaseUntil': {
    reason:
      'Another process takes over while the order of a leg is in flight; a leg of unknown outcome ends the draft.',
    future: without(14),
    past: without(14),
  },
  ...all(['createdAt', 'endsAt'], 'submissions awaiting_approval', heals),
  'submissions awaiting_approval: approval.askedAt': { reason: isOver, future: draftIsOver },
  'submissions awaiting_approval: approval.expiresAt': { reason: isOver, future: draftIsOver, past: draftIsOver },
};

const watchSources = ['approvals', 'drafts', 'submissions', 'intents', 'halt', 'orders', 'dividends', 'fees'];
const inFindEvents = 'test/features/watches/find-events.test.ts';
const listWatchTimes = (table: string, names: readonly string[], where: string) =>
  Object.fromEntries(names.map((name) => [`${table}${name}`, where]));

const watchTimes: Readonly<Record<string, string>> = {
  ...listWatchTimes('watches: ', ['createdAt'], 'The order in which watches are listed.'),
  ...listWatchTimes('watch_sights: ', ['at', 'open[].createdAt', 'open[].goneAt'], inFindEvents),
  ...listWatchTimes('watch_sights: ', ['prices.last.day', 'prices.base.day', 'prices.sides[].firedAt'], inFindEvents),
  ...listWatchTimes(
    'watch_sights: ',
    watchSources.flatMap((source) => [`sources.${source}.from`, `sources.${source}.keys[][]`]),
    inFindEvents,
  ),
  ...listWatchTimes('watch_events.', ['happened_at', 'found_at'], 'test/features/watches/delivery-rules.test.ts'),
  ...listWatchTimes('watch_events: ', ['since', 'expiresAt'], 'It is only shown.'),
  ...listWatchTimes('watch_deliveries.', ['claimed_at', 'next_at'], 'test/features/watches/delivery-rules.test.ts'),
  'records lease watch: until': 'test/core/lease.test.ts',
  ...listWatchTimes(
    'records failed-ways: ',
    ['command.failedAt', 'url.failedAt', 'mail.failedAt'],
    'It is only shown.',
  ),
};

/** Times that only some tests make, and where each is set to another time, or why a wrong one changes nothing. */
export const otherTimes: Readonly<Record<string, string>> = {
  ...watchTimes,
  'records address-block: ': 'test/core/stored-times.test.ts',
  'records audit: at': 'When the newest fault was reported; it is only shown.',
  'records history-import: failed[].from': 'A range that is requested again; test/features/reports/import.',
  'records history-import: failed[].to': 'A range that is requested again; test/features/reports/import.',
  'records history-import: abandonedFiles[].from': 'A range that is only shown.',
  'records history-import: abandonedFiles[].to': 'A range that is only shown.',
  'records mirror: beginsAt': 'A page with an older row removes it.',
  'records mirror: stretches[].trouble.retryAt': 'test/core/stored-times.test.ts',
  'records mirror: stretches[].lostAt[]': 'Moments at which rows may be missing: the coverage names them.',
  'records mirror: stretches[].boundary.place': 'Where a page ends; test/features/history/page-boundary.test.ts',
  'records mirror: reports[].oldestShortAt': 'The date of a row; it is only shown.',
  'records mirror: reports[].holes[].from': 'The second of a row that could not be read.',
  'records mirror: reports[].holes[].to': 'The second of a row that could not be read.',
  'records mirror: recheck.openAt': 'The date of a row that is read again.',
  'records mirror: recheck.seenTo': 'How far rows were read again.',
  'records mirror: recheck.next.time': 'The cursor of a page: the service decides what it means.',
  'records desk external orders of *: rest.at': 'test/core/orders/reconcile/external-record.test.ts',
  'records desk external orders of *: rest.until': 'test/core/orders/reconcile/external-record.test.ts',
  'records desk security: lockedAt': 'That the page is locked counts, not since when.',
  'records desk security: terminal.lastFailureAt': 'As lastFailureAt.',
  'records desk security: web.lastFailureAt': 'As lastFailureAt.',
  'records desk security: web.lockedAt': 'As lockedAt.',
  'oauth_clients.created_at': 'test/security/oauth-clock.test.ts',
  'oauth_grants.created_at':
    'When a client was connected; it is only shown, and decides when a login without tokens is forgotten.',
  'oauth_grants.used_at': 'When a client was last used; it is only shown.',
  'oauth_tokens.expires_at': 'test/security/oauth-clock.test.ts',
  'oauth_tokens.spent_at': 'test/security/oauth-clock.test.ts',
  'intents NOT_SENT: retryUntil': 'test/core/stored-times.test.ts',
  'intents ended: seenAheadAt': 'test/core/stored-times.test.ts',
  'intents ended: earlier.readableAt': 'When a caller is told to look again; it is only shown.',
};
