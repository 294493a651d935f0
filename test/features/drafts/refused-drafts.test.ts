/** A draft that is read says whether all its legs together would be refused now, as the submit does. */
// @module-tag server
import { expect, test } from 'vitest';
import { readShownDraft } from '../../../src/cli/choose-version.ts';
import type { CommandContext } from '../../../src/cli/with-app.ts';
import { assessDraft, sumSheet } from '../../../src/features/drafts/assess-draft.ts';
import { readDraft } from '../../../src/features/drafts/book/find-draft.ts';
import { readDraftSheet } from '../../../src/features/drafts/draft-sheet.ts';
import { draftText } from '../../../src/features/drafts/terminal/render-draft.ts';
import { testTerminal } from '../../support/command.ts';
import { setup } from '../../support/setup.ts';
import { draftPage } from './page/draft-support.ts';
import { buy, buys, london, posts, save, sell, submit } from './submission/support.ts';

const column = ({ columns, rows }: { columns: string[]; rows: unknown[][] }, name: string) =>
  rows.map((row) => row[columns.indexOf(name)]);

// Each leg passes on its own; the third is one more than the hour has place for.
const config = { limits: { ordersPerHour: 2 } };

test('a limit that only the legs together exceed is shown by the list, the page and the command', async () => {
  const { made, draftId, load } = await draftPage(buys(4), { config });
  const { body } = await made.call('list_drafts', { draftId });
  expect(body.refused).toMatchObject({ rule: 'orders_per_hour', leg: 3, reason: expect.stringMatching(/\.$/) });
  expect(column(body, 'rule')).toEqual([null, null, 'orders_per_hour', null]);
  const { services } = made.composed;
  const context = { priority: 'read', deadlineAt: made.clock.now() + 20_000 } as const;
  expect(await readDraftSheet(services.drafts, draftId, context)).toMatchObject({
    refused: { rule: 'orders_per_hour', leg: 3 },
  });
  const { text } = await load();
  expect(text).toContain('<a href="#leg-3">Order 3</a> is over the limit of 2 orders per hour.</strong>');
  expect(text).toContain('Remove order 3</button>');
  expect(text.match(/class="caution bad"/g)).toHaveLength(1);
  const { draft, versions } = await readDraft(services.drafts, draftId);
  const legs = versions[0]?.legs ?? [];
  const checked = await assessDraft(
    services.drafts,
    { legs, saved: { draftId, version: 1 }, isForPerson: true },
    context,
  );
  const review = { ...checked, totals: sumSheet(checked.totals, []) };
  expect(draftText({ draft, legs, state: 'open', review, sent: undefined, sayMoment: String })).toContain(
    `${'  REFUSED NOW'.padEnd(24)} All of it (order 3), the orders per hour: `,
  );
  const { body: refused } = await made.call('submit_draft', { draftId, version: 1 });
  expect(refused).toMatchObject({ outcome: 'refused', rule: 'orders_per_hour', leg: 3 });
  expect(posts(made)).toEqual([]);
});

test('a plan that repeats a trade of another draft has no leg that passes', { tags: ['slow'] }, async () => {
  const made = await setup();
  const first = await submit(made, [buy()]);
  const targets = [{ ticker: london, weightPercent: 100 }];
  const { body } = await made.call('plan_orders', { goal: 'invest', amount: 100, targets });
  expect(body.refused).toMatchObject({ rule: 'repeated_submission', leg: 1 });
  expect(body.refused.retryAfterSeconds).toBeGreaterThan(0);
  expect(body.notes[0]).toContain(first.body.submissionId);
  expect(column(body, 'passes')).toEqual([false]);
  const { body: listed } = await made.call('list_drafts', { draftId: body.draftId });
  const [[repetition]] = column(listed, 'warnings') as [[string]];
  expect(repetition).toContain(first.body.submissionId);
});

test('a draft that repeats trades of two submissions has to wait: naming one of them does not help', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const first = await submit(made, [buy()]);
  const second = await submit(made, [sell()]);
  const ids = [first.body.submissionId, second.body.submissionId];
  const draftId = await save(made, [buy({ quantity: 7 }), sell({ quantity: 2 })]);
  for (const repeatOf of [undefined, ...ids]) {
    const { body } = await made.call('submit_draft', { draftId, version: 1, ...(repeatOf ? { repeatOf } : {}) });
    expect(body).toMatchObject({ outcome: 'refused', rule: 'repeated_submission' });
    expect(body.submissionIds.toSorted()).toEqual(ids.toSorted());
    expect(body.retryAfterSeconds).toBeGreaterThan(0);
    expect(body.reason).not.toContain(first.body.submissionId);
  }
});

test('without a passphrase the next step of a plan is to enroll one', { tags: ['slow'] }, async () => {
  const made = await setup({ config: { approval: 'terminal' } });
  const targets = [{ ticker: london, weightPercent: 100 }];
  const { body } = await made.call('plan_orders', { goal: 'invest', amount: 100, targets });
  expect(body.refused).toMatchObject({ rule: 'approval_missing' });
  expect(body.next).toContain('brokerage-mcp enroll');
});

test('a draft that can be sent is not refused', async () => {
  const made = await setup();
  const { body } = await made.call('list_drafts', { draftId: await save(made, buys(2)) });
  expect(body.refused).toBeUndefined();
  expect(column(body, 'rule')).toEqual([null, null]);
});

test('drafts show does not check a draft that was sent as if it was to be sent again', async () => {
  const made = await setup();
  const { draftId } = await submit(made, [buy()]);
  const parts = made.composed as unknown as CommandContext;
  const before = made.requests().length;
  const { text } = await readShownDraft(parts, draftId, testTerminal());
  expect(text).toContain('· sent ===');
  expect(text).not.toContain('REFUSED NOW');
  expect(made.requests()).toHaveLength(before);
});
