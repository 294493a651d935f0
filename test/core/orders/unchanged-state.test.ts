/** The audit trail has each state that an order reaches. What changes an order and keeps its state adds nothing to it. */
import { expect, test } from 'vitest';
import { createApprovals } from '../../../src/core/approval/approval-service.ts';
import type { Broker } from '../../../src/core/broker/types.ts';
import { keepUnsent } from '../../../src/core/orders/intent/duplicates.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../src/core/orders/intent/journal-port.ts';
import { createAccountLinks } from '../../../src/core/orders/reconcile/account-links.ts';
import { reconcile } from '../../../src/core/orders/reconcile/reconcile.ts';
import { noteOrdersAhead } from '../../../src/core/orders/reconcile/reconcile-schedule.ts';
import { takeLog } from '../../support/faults.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { waitingIntent } from '../approval/support.ts';
import { openAuditedJournal } from './reconcile/audited-journal.ts';
import { approvedOrder, startAt } from './send/approved-order.ts';

const clock = createManualClock({ startAt });
const processes = { self: 'test', isAlive: () => true };
const { accountKey } = approvedOrder;
const refusal = { rule: 'cash', reason: 'Too little.' } as const;
const refused: Intent = { ...approvedOrder, state: 'REFUSED', times: 1, ...refusal };
const unknown: Intent = {
  ...approvedOrder,
  state: 'UNKNOWN',
  sentAt: startAt,
  answerBy: startAt + 15_000,
  search: { lostAt: startAt, round: 1, nextAt: startAt },
};

test.each<[string, Intent, (journal: Journal) => Promise<unknown>, Partial<Intent>]>([
  [
    'an order of the future is noted',
    { ...approvedOrder, state: 'PLACED', createdAt: startAt + 60_000 },
    (journal) => journal.change((tx) => noteOrdersAhead(tx, accountKey, startAt)),
    { state: 'PLACED', seenAheadAt: startAt },
  ],
  [
    'an equal order is refused again',
    refused,
    (journal) =>
      journal.change((tx) => keepUnsent(tx, { ...approvedOrder, state: 'DRAFT' }, 'refuse', refusal, startAt)),
    { state: 'REFUSED', times: 2 },
  ],
  [
    'a form is sent',
    waitingIntent(approvedOrder.id),
    (journal) =>
      createApprovals({ journal, clock, security: undefined, settings: undefined } as never).noteForm(
        `nonce-${approvedOrder.id}`,
        () => ({ sent: 1 }),
      ),
    { state: 'AWAITING_APPROVAL' },
  ],
  [
    'its account turns out to be another one',
    { ...approvedOrder, state: 'PLACED' },
    async (journal) => {
      await journal.change(async (tx) => {
        await tx.set('key', 'kept');
        await tx.set('address', accountKey);
      });
      const of = { environment: 'demo', brokerAccountId: '123' };
      await createAccountLinks({ journal, clock, processes }).link(['key', 'address'], [], of);
    },
    { state: 'PLACED', accountKey: 'kept' },
  ],
  [
    'a round of its search finds nothing',
    unknown,
    async (journal) => {
      const broker = { call: () => Promise.reject(new Error('The service is away.')) } as unknown as Broker;
      await reconcile({ broker, journal, clock, processes }, unknown.id, { priority: 'read', deadlineAt: startAt });
      takeLog();
    },
    { state: 'UNKNOWN', search: { lostAt: startAt, round: 2, nextAt: startAt + 10_000 } },
  ],
])('when %s', async (_, intent, work, expected) => {
  const { journal, listAudit } = await openAuditedJournal(clock);
  await journal.change((tx) => tx.insert(intent));
  await work(journal);
  expect(await journal.read((tx) => tx.find(intent.id))).toMatchObject(expected);
  expect(await listAudit('state')).toEqual([]);
});
