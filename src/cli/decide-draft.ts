import { passphraseRefusalText } from '../core/approval/ticket-text.ts';
import { systemClock } from '../core/clock.ts';
import { approvalInForce } from '../core/orders/halt/trading-state.ts';
import type { Decision } from '../core/orders/intent/approval-port.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { openTty, type Tty } from '../core/process/terminal.ts';
import { createSayMoment, type SayMoment } from '../core/text/format-moment.ts';
import { orderTitles, ruleTitles } from '../core/text/outcome-sentences.ts';
import { readDraft } from '../features/drafts/book/find-draft.ts';
import { draftTitles } from '../features/drafts/draft-sentences.ts';
import { type DraftTicketView, viewDraftTicket } from '../features/drafts/submission/approve-draft.ts';
import { getPersonRefusalStep } from '../features/drafts/submission/check-submission.ts';
import { isBeingSent, reportLatest, type SubmissionReport } from '../features/drafts/submission/describe-submission.ts';
import type { DraftApprovals } from '../features/drafts/submission/draft-approvals.ts';
import { unsentTexts } from '../features/drafts/submission/submission-steps.ts';
import { draftTicketText } from '../features/drafts/terminal/render-draft.ts';
import { askPassphrase } from './ask-passphrase.ts';
import { sayTicket } from './choose-order.ts';
import { askVersion, maxRequestsMs } from './choose-version.ts';
import { printJson } from './output.ts';
import { type CommandContext, requireOwnersTty } from './with-app.ts';

/** Milliseconds that the command follows the orders: longer than they can be sent. */
const maxFollowMs = 16 * 60_000;

/** The draft that a person submits. `version` is undefined when none was named, and `repeatOf` for a new attempt. */
interface AskedDraft {
  readonly draftId: string;
  readonly version: number | undefined;
  readonly repeatOf: string | undefined;
  /** Whether the report is JSON for a program. */
  readonly isJson?: boolean;
}

/**
 * Submits a draft for a person: shows it, asks for the passphrase where orders need an approval, and follows the orders.
 * A draft that a tool submitted waits here for the same decision. `version` is the one that the person saw; without it
 * the person is asked. Returns the exit code.
 */
export async function submitDraftInTerminal(
  parts: CommandContext,
  { draftId, version: seen, repeatOf, isJson = false }: AskedDraft,
  terminal: ProcessContext,
): Promise<number> {
  const { submissions } = parts.services;
  const version = seen ?? (await chooseVersion(parts, { draftId, repeatOf }, terminal));
  if (version === undefined) return 1;
  const context = {
    priority: 'place',
    deadlineAt: systemClock.now() + maxRequestsMs,
    signal: terminal.shutdownSignal,
  } as const;
  const isInTerminal = hasTty(terminal);
  const submitted = await submissions.create({ draftId, version, repeatOf, isInTerminal }, context);
  if (submitted.kind === 'refused') {
    const { leg, rule, reason } = submitted.refusal;
    const where = leg === undefined ? '' : ` (order ${leg})`;
    const next = getPersonRefusalStep(draftId, submitted.refusal);
    if (isJson) printJson(terminal, { outcome: 'refused', draftId, version, ...submitted.refusal, next });
    else terminal.print(`Refused${where}: ${ruleTitles[rule]}. ${reason} Nothing was sent. ${next}`);
    return 1;
  }
  const { id: submissionId, state } = submitted.submission;
  if (state === 'awaiting_approval') return approveDraftInTerminal(parts, { draftId, submissionId, isJson }, terminal);
  return follow(parts, { draftId, submissionId, isJson }, terminal);
}

/** Shows an attempt that waits, asks for the passphrase, and follows the orders. Returns the exit code. */
export const approveDraftInTerminal = async (
  parts: CommandContext,
  waiting: WaitingDraft,
  terminal: ProcessContext,
): Promise<number> => ((await decide(parts, waiting, terminal)) ? follow(parts, waiting, terminal) : 1);

interface WaitingDraft {
  readonly draftId: string;
  readonly submissionId: string;
  readonly isJson?: boolean;
}

async function follow(
  { services }: CommandContext,
  { submissionId, isJson = false }: WaitingDraft,
  terminal: ProcessContext,
): Promise<number> {
  const context = {
    priority: 'place',
    deadlineAt: systemClock.now() + maxFollowMs,
    signal: terminal.shutdownSignal,
  } as const;
  const report = await services.submissions.follow(submissionId, context, (message) => terminal.warn(message));
  if (isJson) printJson(terminal, report);
  else for (const line of reportLines(report)) terminal.print(line);
  return report.outcome === 'done' ? 0 : 1;
}

/**
 * The version to submit when none was given. Where orders need an approval, every leg is shown with the question for the
 * passphrase, and a draft that is being sent is only followed, so neither is asked about here.
 */
async function chooseVersion(
  parts: CommandContext,
  { draftId, repeatOf }: Omit<AskedDraft, 'version'>,
  terminal: ProcessContext,
): Promise<number | undefined> {
  const { services, journal, settings } = parts;
  const sent = await reportLatest(services.drafts, draftId, 'person');
  const { draft } = await readDraft(services.drafts, draftId);
  if (sent && isBeingSent(sent)) return sent.version;
  const sends = draft.state === 'open' || repeatOf !== undefined;
  if (!sends || (await journal.read((tx) => approvalInForce(settings, tx))) !== 'none') return draft.version;
  const ask = (shown: number) => `Send the orders of version ${shown}, as shown above?`;
  return askVersion(parts, draftId, terminal, { command: 'drafts submit', ask });
}

/** Without a terminal a draft is submitted as a tool submits it, and decided elsewhere. */
function hasTty(terminal: ProcessContext): boolean {
  const tty = openTty(terminal);
  tty?.close();
  return tty !== undefined;
}

/** Shows the draft and asks for the passphrase; returns whether it was approved. */
async function decide(
  { services: { drafts, draftApprovals } }: CommandContext,
  { draftId, submissionId }: WaitingDraft,
  terminal: ProcessContext,
): Promise<boolean> {
  const tty = requireOwnersTty(terminal, 'drafts submit');
  try {
    const view = await viewDraftTicket(drafts, draftId, submissionId);
    return await decideDraft(tty, view, draftApprovals, createSayMoment(terminal.zone(), systemClock));
  } finally {
    tty.close();
  }
}

/** The lines of what became of a draft, for a person. */
export function reportLines({ outcome, legs, message, reason, next }: SubmissionReport): readonly string[] {
  return [
    ...legs.map(({ leg, order, outcome: result, orderId, reason: why, unsentBecause }) => {
      const unsent = unsentBecause && `${orderTitles.not_sent.title} (${unsentTexts[unsentBecause]})`;
      const title = result === 'waiting' ? 'Waiting' : orderTitles[result].title;
      return [`  ${leg}. ${order}: ${unsent ?? title}`, orderId && `order ${orderId}`, !unsent && why]
        .filter(Boolean)
        .join(' · ');
    }),
    `${draftTitles[outcome]}: ${[reason, message, next].filter(Boolean).join(' ')}`,
  ];
}

// What a person decides at the terminal about a draft that waits for approval.

/** Shows the draft and asks for the passphrase; returns whether it was approved. `view` is undefined when it no longer waits. */
export async function decideDraft(
  tty: Tty,
  view: DraftTicketView | undefined,
  approvals: Pick<DraftApprovals, 'approve'>,
  sayMoment: SayMoment,
): Promise<boolean> {
  if (!view) return tell(tty, 'The draft is not waiting for approval any more.');
  const { ticket, digest, wrongPassphrases } = view;
  sayTicket(tty, draftTicketText(view, sayMoment), ticket.environment);
  const { submissionId } = ticket;
  const decision = await askPassphrase(
    tty,
    'Passphrase to approve all of them (press Enter to leave the draft waiting): ',
    wrongPassphrases?.count ?? 0,
    (passphrase, seen) => approvals.approve({ submissionId, digest, passphrase, channel: 'terminal', seen }),
  );
  if (!decision) return tell(tty, 'The draft is still waiting. Reject it with: brokerage-mcp drafts discard ID');
  if (decision.kind !== 'approved') return tell(tty, explainDecision(decision));
  tty.say('Approved.', 'good');
  return true;
}

function tell(tty: Tty, line: string): false {
  tty.say(line);
  return false;
}

function explainDecision(decision: Exclude<Decision, { readonly kind: 'approved' }>): string {
  switch (decision.kind) {
    case 'changed':
      return 'The draft has changed since it was shown; check it again.';
    case 'not_waiting':
      return 'The draft is no longer waiting for approval.';
    case 'rejected':
      return 'Rejected.';
    default:
      return passphraseRefusalText(decision);
  }
}
