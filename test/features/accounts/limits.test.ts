/** The limits of an account are its own when a draft is sent: a limit of the other one neither stops nor allows it. */
// @module-tag server
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../../src/app/composition-root.ts';
import { viewDraftTicket } from '../../../src/features/drafts/submission/approve-draft.ts';
import { startServerHere } from '../../support/server-here.ts';
import { order } from '../../support/setup.ts';
import { serveTwoAccounts } from '../../support/two-account-service.ts';
import { names, setupTwoAccounts } from '../../support/two-accounts.ts';

/** Worth 20. */
const legs = [{ type: 'LIMIT', ...order }];
type Name = (typeof names)[number];

/** A server whose config.json sets the value that one account may order at most. */
async function serveLimited(limited: Name) {
  const { env, truth } = await serveTwoAccounts();
  const { BROKER_ACCOUNTS: _, ...rest } = env;
  const accounts = names.map((name) => ({
    ...{ name, kind: name, apiKey: `${name}-key`, apiSecret: `${name}-secret` },
    ...(name === limited && { maxOrderValue: 15 }),
  }));
  await writeFile(join(env.BROKER_CONFIG_DIR ?? '', 'config.json'), JSON.stringify({ accounts }), { mode: 0o600 });
  const kept = Object.entries(rest).filter(([name]) => !/_(INVEST|ISA)$/.test(name));
  return { ...(await startServerHere(Object.fromEntries(kept))), truth };
}

test.each(names)('A limit that config.json sets for %s stops the drafts of this account alone', async (limited) => {
  const { call, truth } = await serveLimited(limited);
  const sent: Record<string, unknown> = {};
  for (const account of names) {
    const { draftId, version } = await call('save_draft', { account, legs });
    const { outcome, rule } = await call('submit_draft', { account, draftId, version });
    sent[account] = [outcome, rule, truth[account]().pendingOrders.length];
  }
  const other = limited === 'isa' ? 'invest' : 'isa';
  expect(sent).toEqual({ [limited]: ['refused', 'max_order_value', 0], [other]: ['done', undefined, 1] });
});

const passphrase = 'only the owner knows this';

/** A draft of the ISA that the owner approved, and a process of each account that has just started, one with a limit. */
async function approveThenLimit(limited: Name) {
  const made = await setupTwoAccounts({ config: { approval: 'terminal' } });
  const { call, apps, clock, truth } = made;
  await apps.invest.security.enrol({ passphrase, approval: 'terminal', limits: {} });
  const { body: draft } = await call('save_draft', { account: 'isa', legs });
  const { draftId, version } = draft;
  const { body: sent } = await call('submit_draft', { account: 'isa', draftId, version });
  expect(sent.outcome).toBe('pending_approval');
  const { submissionId } = sent;
  const digest = (await viewDraftTicket(apps.isa.services.drafts, draftId))?.digest ?? '';
  const approval = { submissionId, digest, passphrase, channel: 'terminal' as const };
  const later = names.map((name) => {
    const { config } = apps[name].services;
    const limits = name === limited ? { ...config.limits, maxOrderValue: '15' } : config.limits;
    return createApp({ ...config, limits }, { clock });
  });
  onTestFinished(async () => void (await Promise.all(later.map((app) => app.close()))));
  expect(await later[0]?.services.draftApprovals.approve(approval)).toEqual({ kind: 'approved' });
  const report = async () => (await call('list_drafts', { account: 'isa', draftId })).body.submission;
  // A round starts to send, and the request itself takes its time.
  for (let round = 0; round < 20; round++) {
    for (const { services } of later) {
      await services.orderManager.tick();
      await services.submissions.tick();
    }
    await clock.advance(100);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { report: await report(), pending: names.map((name) => truth(name).pendingOrders.length) };
}

test('An approved draft is stopped at sending by a limit of its account that came after the approval', async () => {
  const { report, pending } = await approveThenLimit('isa');
  expect([report.outcome, report.legs[0].outcome, report.legs[0].rule, pending]).toEqual([
    ...['stopped', 'refused', 'max_order_value'],
    [0, 0],
  ]);
});

test('A limit of the other account does not stop it', async () => {
  const { report, pending } = await approveThenLimit('invest');
  expect([report.outcome, pending]).toEqual(['done', [0, 1]]);
});
