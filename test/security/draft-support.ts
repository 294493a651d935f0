/** Drafts that wait for the owner. */
import { expect } from 'vitest';
import { viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import { type Attack, order, ordersThatLeft, type Side } from './support.ts';

export const leg = (change: object = {}) => ({ type: 'LIMIT', ...order, ...change });
/** 2 and 3 shares at 11.50, which are 57.50 together. */
export const legs = [leg(), leg({ quantity: 3 })];

/** A draft that waits for the owner, what the owner sees, and what the host was told. */
export async function waitingDraft(side: Side, given: readonly object[] = legs, name?: string) {
  const saved = await side.call('save_draft', { legs: given, ...(name === undefined ? {} : { name }) });
  const draftId = String(saved.draftId);
  const said = await side.call('submit_draft', { draftId, version: 1 });
  const view = await viewDraftTicket(side.composed.services.drafts, draftId);
  if (!view) throw new Error(`No draft waits: ${JSON.stringify(said)}`);
  const address = String(said.approval?.address ?? said.inputRequests?.approval?.params?.url ?? '');
  return { draftId, submissionId: view.ticket.submissionId, view, said, address };
}

export type Waiting = Awaited<ReturnType<typeof waitingDraft>>;

export const findSubmission = ({ composed }: Side, { submissionId }: Pick<Waiting, 'submissionId'>) =>
  composed.services.drafts.store.read((tx) => tx.findSubmission(submissionId));

/** Lets the server send what it may, until the attempt has ended. */
export async function carryOn(side: Side, waiting: Pick<Waiting, 'submissionId'>) {
  await side.composed.services.submissions.tick();
  const state = async () => (await findSubmission(side, waiting))?.state;
  await expect.poll(state).not.toBe('sending');
  return state();
}

export const quantities = (attacked: Attack) => ordersThatLeft(attacked.simulator).map(({ quantity }) => quantity);
