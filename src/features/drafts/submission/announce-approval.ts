/** Where a person can approve a draft that waits: starts the page, and says how. */
import type { DraftApproval, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { describeForm } from '../../../core/orders/intent/form-record.ts';
import type { ApprovalChannels } from '../../../core/orders/intent/ports.ts';
import type { SubmissionReport } from './describe-submission.ts';
import { canUseForm } from './draft-form.ts';
import type { SubmissionDeps } from './ports.ts';

/** What the caller can show to its user. */
export interface HostAbilities {
  readonly canAsk?: boolean | undefined;
  readonly canOpen?: boolean | undefined;
}

/** What the caller shows to its user: a form, or an address to open. The response names the nonce. */
export interface DraftPrompt {
  readonly nonce: string;
  readonly ticket: DraftTicket;
  readonly address?: string | undefined;
  /** What was wrong with the form before. */
  readonly problem?: string | undefined;
}

export interface Announced {
  readonly report: SubmissionReport;
  readonly ask?: DraftPrompt | undefined;
}

type AnnounceDeps = Pick<SubmissionDeps, 'store' | 'channels' | 'readOnly'>;

/** Completes the report of a draft that waits for a person; any other report stays as it is. */
export async function announceApproval(
  { store, channels, readOnly }: AnnounceDeps,
  report: SubmissionReport,
  host: HostAbilities = {},
): Promise<Announced> {
  const submission = await store.read((tx) => tx.findSubmission(report.submissionId));
  const { approval } = submission ?? {};
  if (!report.approval || !approval) return { report };
  // A read-only server serves no approval page.
  const address = readOnly ? undefined : await getPageUrl(channels, approval);
  const usesForm = approval.method === 'elicitation' && canUseForm(approval.ticket);
  const how = describeWay(approval, report.draftId, { ...host, address, usesForm });
  const { nonce, ticket } = approval;
  const asksForm = usesForm && host.canAsk;
  const asksPage = address !== undefined && host.canOpen;
  return {
    report: { ...report, approval: { ...report.approval, how, address } },
    ask: asksForm ? { nonce, ticket } : asksPage ? { nonce, ticket, address } : undefined,
  };
}

/** Starts the page of a draft, and returns its address; undefined where the draft is not approved on a page. */
export async function getPageUrl(
  channels: ApprovalChannels,
  { method, ticket, handle }: Pick<DraftApproval, 'method' | 'ticket' | 'handle'>,
): Promise<string | undefined> {
  // What no form can show is approved on the page instead, which is stricter.
  const usesPage = method === 'page' || (method === 'elicitation' && !canUseForm(ticket));
  return usesPage ? channels.pageUrl(handle) : undefined;
}

function describeWay(
  { method, form }: DraftApproval,
  draftId: string,
  { address, usesForm, canAsk }: HostAbilities & { address: string | undefined; usesForm: boolean },
): string {
  const inTerminal = `the owner must run "brokerage-mcp drafts submit ${draftId}" in a terminal`;
  if (address !== undefined)
    return `The owner must open the address on this machine, or run "brokerage-mcp drafts submit ${draftId}" in a terminal (in a container: in the terminal).`;
  if (method === 'terminal') return `To approve the draft, ${inTerminal}.`;
  if (!usesForm) return `The approval page is not available: ${inTerminal}.`;
  const asked = 'the number of orders and their total';
  return canAsk ? `The form asks for ${asked}.` : describeForm(form, asked, inTerminal);
}
