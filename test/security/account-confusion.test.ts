/** Two accounts of one owner share the store and the passphrase: what is approved for one never counts for the other. */
// @module-tag server
import { expect, test } from 'vitest';
import { describeTicket } from '../../src/core/approval/approval-form.ts';
import { ticketPage } from '../../src/core/approval/page/order-page.ts';
import { ticketText } from '../../src/core/approval/ticket-text.ts';
import type { Approval, Intent } from '../../src/core/orders/intent/intent.ts';
import { writeDraftForm } from '../../src/features/drafts/submission/announce-approval.ts';
import { viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import { draftTicketText } from '../../src/features/drafts/terminal/render-draft.ts';
import { order } from '../support/setup.ts';
import { names, setupTwoAccounts } from '../support/two-accounts.ts';

const passphrase = 'only the owner knows this';
type Accounts = Awaited<ReturnType<typeof setupTwoAccounts>>;

/** Both accounts need the owner's passphrase in a terminal. */
async function setup() {
  const accounts = await setupTwoAccounts({ config: { approval: 'terminal' } });
  await accounts.apps.invest.security.enrol({ passphrase, approval: 'terminal', limits: {} });
  const tick = async () => {
    // A round starts to send, and the request itself takes its time.
    for (let round = 0; round < 10; round++) {
      for (const name of names) {
        await accounts.apps[name].services.orderManager.tick();
        await accounts.apps[name].services.submissions.tick();
      }
      await accounts.clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { ...accounts, tick };
}

async function waiting({ call, apps }: Accounts, account: (typeof names)[number]) {
  const { body } = await call('place_limit_order', { ...order, account });
  expect(body.outcome).toBe('pending_approval');
  const view = await apps[account].services.approvals.view(body.intentId);
  if (!view) throw new Error('no ticket');
  return view;
}

const pending = ({ truth }: Accounts) => names.map((name) => truth(name).pendingOrders.length);
const approvalOf = ({ digest, ticket }: Awaited<ReturnType<typeof waiting>>) => ({
  ...{ intentId: ticket.intentId, digest, passphrase, channel: 'terminal' as const },
});

test.each(names)(
  'The approval of an order for %s sends that order to that account, whichever process takes it',
  async (account) => {
    const accounts = await setup();
    const view = await waiting(accounts, account);
    const other = account === 'isa' ? 'invest' : 'isa';
    expect(await accounts.apps[other].services.approvals.approve(approvalOf(view))).toEqual({ kind: 'approved' });
    await accounts.tick();
    expect(pending(accounts)).toEqual(names.map((name) => (name === account ? 1 : 0)));
  },
);

test('The digest of the ticket of one account approves nothing of the other', async () => {
  const accounts = await setup();
  const [invest, isa] = [await waiting(accounts, 'invest'), await waiting(accounts, 'isa')];
  const { approvals } = accounts.apps.invest.services;
  expect(await approvals.approve({ ...approvalOf(invest), digest: isa.digest })).toEqual({ kind: 'changed' });
  await accounts.tick();
  expect(pending(accounts)).toEqual([0, 0]);
});

test('An approval that is copied from one account to the intent of the other sends nothing', async () => {
  const accounts = await setup();
  const [invest, isa] = [await waiting(accounts, 'invest'), await waiting(accounts, 'isa')];
  const { journal } = accounts.apps.invest;
  await accounts.apps.invest.services.approvals.approve(approvalOf(invest));
  await journal.change(async (tx) => {
    const approved = (await tx.find(invest.ticket.intentId)) as Intent;
    const approval: Approval | undefined = approved.approval && {
      ...approved.approval,
      nonce: 'another',
      handle: 'other',
    };
    await tx.move(isa.ticket.intentId, 'AWAITING_APPROVAL', { state: 'APPROVED', approval });
    // The approved one itself is not what this is about.
    await tx.move(invest.ticket.intentId, 'APPROVED', { state: 'EXPIRED' });
  });
  await accounts.tick();
  expect(pending(accounts)).toEqual([0, 0]);
  expect((await accounts.call('get_order', { account: 'isa', intentId: isa.ticket.intentId })).body.rule).toBe(
    'approval_invalid',
  );
});

test('An approved intent that is moved to the other account is sent to neither', async () => {
  const accounts = await setup();
  const [invest, isa] = [await waiting(accounts, 'invest'), await waiting(accounts, 'isa')];
  await accounts.apps.invest.services.approvals.approve(approvalOf(invest));
  await accounts.apps.invest.journal.change(async (tx) => {
    const other = (await tx.find(isa.ticket.intentId)) as Intent;
    await tx.move(invest.ticket.intentId, 'APPROVED', { state: 'APPROVED', accountKey: other.accountKey });
  });
  await accounts.tick();
  expect(pending(accounts)).toEqual([0, 0]);
});

test('A draft that is approved for one account is sent to that account alone', async () => {
  const accounts = await setup();
  const { call, apps } = accounts;
  const legs = [{ type: 'LIMIT', ...order }];
  const drafts: string[] = [];
  const views = [];
  for (const account of names) {
    const { body } = await call('save_draft', { account, legs });
    const sent = await call('submit_draft', { account, draftId: body.draftId, version: body.version });
    expect(sent.body.outcome).toBe('pending_approval');
    drafts.push(sent.body.submissionId as string);
    views.push(await viewDraftTicket(apps[account].services.drafts, body.draftId));
  }
  const [ofInvest, ofIsa] = views;
  const right = { submissionId: drafts[1] as string, passphrase, channel: 'terminal' as const };
  const { draftApprovals } = apps.invest.services;
  expect(await draftApprovals.approve({ ...right, digest: ofInvest?.digest ?? '' })).toEqual({ kind: 'changed' });
  expect(await draftApprovals.approve({ ...right, digest: ofIsa?.digest ?? '' })).toEqual({ kind: 'approved' });
  await accounts.tick();
  expect(pending(accounts)).toEqual([0, 1]);
  const text = draftTicketText(ofIsa as never, String);
  expect([
    text.split('\n')[0],
    writeDraftForm((ofIsa as never as { ticket: never }).ticket)
      .trim()
      .split('\n')[0],
  ]).toEqual(['=== DEMO · ACCOUNT ISA · 1 ORDER ===', 'DEMO · ACCOUNT ISA, 1 ORDER']);
});

test.each(names)('The page, the terminal and the form show %s beside the environment', async (account) => {
  const view = await waiting(await setup(), account);
  const page = ticketPage(view, { path: '/x', csrf: '' } as never).markup;
  expect(page).toContain(`<strong>PRACTICE</strong> <strong>${account}</strong>`);
  expect(ticketText(view, String).split('\n')[0]).toBe(`=== DEMO · ACCOUNT ${account.toUpperCase()} ===`);
  expect(describeTicket(view.ticket).split('\n')[0]).toBe(`DEMO · ACCOUNT ${account.toUpperCase()}`);
});

test('A halt stops both accounts', async () => {
  const accounts = await setupTwoAccounts();
  await accounts.apps.isa.journal.change((tx) =>
    tx.set('halt', { at: accounts.clock.now(), by: 'owner', reason: 'test' }),
  );
  for (const account of names) {
    const { body } = await accounts.call('place_limit_order', { ...order, account });
    expect([body.outcome, body.rule]).toEqual(['refused', 'halted']);
  }
  expect(pending(accounts as never)).toEqual([0, 0]);
});
