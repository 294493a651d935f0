/** The page of a draft over a real store and a simulated service, and requests as a browser or an attacker sends them. */
import { onTestFinished } from 'vitest';
import { readDraft } from '../../../../src/features/drafts/book/find-draft.ts';
import { startDraftPage } from '../../../../src/features/drafts/page/draft-handlers.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { type FormChange, loadForm, type Sent, sendForm, sendTo } from '../../../core/approval/page/support.ts';
import { type Setup, type SetupOptions, setup } from '../../../support/setup.ts';
import { type Leg, save } from '../submission/support.ts';

export const lifeMs = 600_000;

/** A draft of these legs and its page. `place` changes what the page takes for its own environment and account. */
export async function draftPage(legs: readonly Leg[], options: SetupOptions = {}) {
  const made = await setup(options);
  const draftId = await save(made, legs);
  return { made, ...(await servePage(made, draftId)) };
}

export async function servePage(made: Setup, draftId: string) {
  const place: Partial<Pick<SubmissionDeps, 'environment' | 'accountKey'>> = {};
  const own = made.composed.services.drafts;
  const drafts: SubmissionDeps = {
    ...own,
    get environment() {
      return place.environment ?? own.environment;
    },
    accountKey: () => (place.accountKey ?? own.accountKey)(),
  };
  const page = await startDraftPage({ draftId, drafts, clock: made.clock, lifeMs });
  onTestFinished(() => page.close());
  const opened = await sendTo(page.createAddress(), {});
  const path = String(opened.headers.location);
  const send = (sent: Sent = {}) => sendTo(sent.url ?? page.origin + path, sent);
  /** What a browser knows after it loaded the page. */
  const load = () => loadForm(page.origin + path);
  /** A form as a loaded page submits it, except for what the test changes. */
  const submit = (
    { cookie, csrf, version }: { cookie: string; csrf: string; version: string },
    fields: Record<string, string>,
    change?: FormChange,
  ) => sendForm(page.origin + path, cookie, { csrf, version, ...fields }, change);
  const stored = async () => {
    const { draft, versions } = await readDraft(own, draftId);
    return { state: draft.state, version: draft.version, versions, legs: versions.at(-1)?.legs ?? [] };
  };
  return { draftId, page, path, place, send, load, submit, stored };
}
