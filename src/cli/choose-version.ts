/** Which version of a draft a command acts on: the one that the person saw, whatever a tool saved since. */

import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { confirm, requireTty, type Tty } from '../core/process/terminal.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import { assessDraft, sumSheet } from '../features/drafts/assess-draft.ts';
import type { Draft } from '../features/drafts/book/draft.ts';
import { nameDraft } from '../features/drafts/book/draft-plan.ts';
import { readDraft } from '../features/drafts/book/find-draft.ts';
import { toOrder } from '../features/drafts/book/legs.ts';
import {
  describeDraftState,
  isChecked,
  reportLatest,
  type SubmissionReport,
} from '../features/drafts/submission/describe-submission.ts';
import { type DraftToShow, draftText } from '../features/drafts/terminal/render-draft.ts';
import type { CommandContext } from './with-app.ts';

/** Milliseconds for the requests of one command. */
export const maxRequestsMs = 50_000;

/** A draft as `drafts show` prints it. */
export interface ShownDraft {
  readonly draft: Draft;
  readonly text: string;
  /** The newest attempt to send it. */
  readonly sent: SubmissionReport | undefined;
  /** The same facts for a program. */
  readonly json: object;
}

/** Reads a draft, and compares its legs with the account if they can still be sent. Throws `not_found`. */
export async function readShownDraft(
  { services }: CommandContext,
  draftId: string,
  terminal: ProcessContext,
): Promise<ShownDraft> {
  const sent = await reportLatest(services.drafts, draftId, 'person');
  const { draft, versions } = await readDraft(services.drafts, draftId);
  const state = describeDraftState(draft, sent, systemClock.now());
  const toAssess = {
    legs: versions.at(-1)?.legs ?? [],
    saved: { draftId, version: draft.version },
    isForPerson: true,
    isSubmitted: state !== 'open',
  } as const;
  const context = {
    priority: 'read',
    deadlineAt: systemClock.now() + maxRequestsMs,
    signal: terminal.shutdownSignal,
  } as const;
  const checked = isChecked(state) ? await assessDraft(services.drafts, toAssess, context) : undefined;
  const sayMoment = createSayMoment(terminal.zone(), systemClock);
  const review = checked && {
    ...checked,
    totals: sumSheet(
      checked.totals,
      checked.legs.map(({ charges }) => charges),
    ),
  };
  const shown = { draft, account: services.drafts.settings.account, legs: toAssess.legs, state, review, sent };
  return { draft, text: draftText({ ...shown, sayMoment }), sent, json: toJson(shown) };
}

/** Without the reasons of the legs, which are text of a model. */
function toJson({ draft, account, legs, state, review, sent }: Omit<DraftToShow, 'sayMoment'>): object {
  const { totals, refused, problem, asOf } = review ?? {};
  return {
    draftId: draft.id,
    environment: draft.environment,
    account,
    name: nameDraft(draft, legs),
    version: draft.version,
    state,
    createdAt: new Date(draft.createdAt).toISOString(),
    expiresAt: new Date(draft.expiresAt).toISOString(),
    checkedAt: asOf === undefined ? undefined : new Date(asOf).toISOString(),
    legs: legs.map((leg, at) => {
      const { estimate, refusal, warnings } = review?.legs[at] ?? {};
      return { ...toOrder(leg), value: estimate?.value, currency: estimate?.currency, refusal, warnings };
    }),
    totals,
    refused,
    problem,
    submission: sent,
  };
}

/** The number given with `--version`; undefined without the flag. Throws a UsageError for anything but a version. */
export function readVersion({ version }: Readonly<Record<string, string>>): number | undefined {
  if (version === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(version)) return Number(version);
  throw new UsageError('--version needs the number of a version, which brokerage-mcp drafts show ID prints.');
}

/**
 * Shows the draft in the terminal, and returns its version if the person agrees to the question about it. Throws a
 * UsageError without a terminal, where the version must be given.
 */
export async function askVersion(
  parts: CommandContext,
  draftId: string,
  terminal: ProcessContext,
  { command, ask }: { readonly command: string; readonly ask: (version: number) => string },
): Promise<number | undefined> {
  const tty = requireTty(
    terminal,
    `Without a terminal, ${command} needs --version N: the version that you saw with brokerage-mcp drafts show ID.`,
  );
  try {
    return await agreeToVersion(tty, await readShownDraft(parts, draftId, terminal), ask);
  } finally {
    tty.close();
  }
}

/** Shows a draft, and returns its version if the person agrees to the question about it. */
export async function agreeToVersion(
  tty: Tty,
  { draft, text }: Pick<ShownDraft, 'draft' | 'text'>,
  ask: (version: number) => string,
): Promise<number | undefined> {
  tty.say(text);
  if (await confirm(tty, `${ask(draft.version)} [y/N] `)) return draft.version;
  tty.say('Nothing was changed and nothing was sent.');
  return undefined;
}
