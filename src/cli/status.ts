import type { Services } from '../app/registry.ts';
import type { Enrolment } from '../core/approval/enrollment/enrollment.ts';
import { describeHalt, type Halt, readHalt } from '../core/orders/halt/trading-state.ts';
import type { TicketView } from '../core/orders/intent/approval-port.ts';
import type { OutcomeName } from '../core/orders/intent/outcome.ts';
import type { Refusal } from '../core/orders/intent/refusal.ts';
import { createStyle, type Style, type Tone } from '../core/process/text-style.ts';
import type { Config } from '../core/settings/config.ts';
import { type AuditEntry, describeIntactChain } from '../core/store/audit-table.ts';
import { describeLocation, resolveStoreLocation } from '../core/store/store-location.ts';
import { countOf } from '../core/text/count-of.ts';
import { createSayMoment, type SayMoment } from '../core/text/format-moment.ts';
import { orderTitles } from '../core/text/outcome-sentences.ts';
import { removeUnseen } from '../core/text/sanitize-text.ts';
import { summarizeAudit } from '../features/guides/resources/read-resource.ts';
import { type ShownFailure, sayFailure, toFailureBody } from '../features/watches/failed-ways.ts';
import type { Command } from './command.ts';
import { withNamedStore } from './with-app.ts';

const maxShownEvents = 10;

/** Shows the state of the store as text, or as JSON with --json. Makes no request. */
export const statusCommand: Command = ({ flags }, terminal) =>
  withNamedStore(flags, terminal, async ({ config, services, security, journal, watching }) => {
    const { orderManager, approvals, audit } = services;
    const state = await orderManager.state();
    const waiting = await approvals.waiting();
    const chain = await audit.verify();
    const last = await audit.last(maxShownEvents);
    const enrolment = await security.enrolment();
    const failures = await watching.listFailures();
    const body = toStatusBody({ config, state, enrolment, waiting, chain, last, failures });
    if (flags.json === 'true') terminal.print(JSON.stringify(body, null, 2));
    else {
      const sayMoment = createSayMoment(terminal.zone(), services.clock);
      const trading = describeTrading(state.refusal, await journal.read(readHalt), sayMoment);
      const style = createStyle(terminal.env, terminal.screens.output.isTerminal);
      for (const line of formatStatus(body, { trading, last, failures, style, sayMoment })) terminal.print(line);
    }
    return chain.holds ? 0 : 1;
  });

interface StatusFacts {
  readonly config: Pick<Config, 'environment' | 'stateDir' | 'stateUrl'>;
  readonly state: Awaited<ReturnType<Services['orderManager']['state']>>;
  readonly enrolment: Enrolment | undefined;
  readonly waiting: readonly TicketView[];
  readonly chain: Awaited<ReturnType<Services['audit']['verify']>>;
  readonly last: readonly AuditEntry[];
  readonly failures: readonly ShownFailure[];
}

/** The facts as `status --json` prints them. */
export const toStatusBody = ({ config, state, enrolment, waiting, chain, last, failures }: StatusFacts) => ({
  environment: config.environment,
  store: describeLocation(resolveStoreLocation(config)),
  trading: state.refusal ? { state: 'off', ...state.refusal } : { state: 'on' },
  approval: state.approval,
  enrolled: enrolment ? { approval: enrolment.approval, at: new Date(enrolment.enrolledAt).toISOString() } : null,
  riskLimits: state.limits,
  foreignOrders: state.foreignOrders,
  openIntents: state.openIntents.map(({ id, outcome, isApproved, request }) => ({
    intentId: id,
    outcome,
    ...(isApproved ? { approved: true as const } : {}),
    ...request,
  })),
  approvalsWaiting: waiting.map(({ ticket, secondsLeft }) => ({ intentId: ticket.intentId, secondsLeft })),
  failedNotifications: failures.map(toFailureBody),
  audit: { ...chain, last: last.map(summarizeAudit) },
});

function describeApproved(openIntents: StatusBody['openIntents']): string {
  const approved = openIntents.filter((intent) => intent.approved).length;
  return approved === 0 ? '' : `, ${approved} approved and not sent yet`;
}

interface StatusBody {
  readonly environment: string;
  readonly approval: string;
  readonly openIntents: readonly {
    intentId: string;
    outcome: OutcomeName;
    approved?: true;
    side: string;
    quantity: string;
    ticker: string;
  }[];
  readonly approvalsWaiting: readonly { intentId: string; secondsLeft: number }[];
  readonly audit: { holds: boolean; rows: number; brokenAt?: number };
}

interface Shown {
  readonly trading: readonly [tone: Tone, text: string];
  readonly last: readonly AuditEntry[];
  readonly failures: readonly ShownFailure[];
  readonly style: Style;
  readonly sayMoment: SayMoment;
}

export function formatStatus(body: StatusBody, { trading, last, failures, style, sayMoment }: Shown): string[] {
  const { audit, openIntents, approvalsWaiting } = body;
  return [
    `Environment  ${body.environment}`,
    `Trading      ${style(...trading)}`,
    `Approval     ${body.approval}`,
    `Open         ${countOf(openIntents.length, 'intent')}, ${approvalsWaiting.length} waiting for approval${describeApproved(openIntents)}`,
    ...openIntents.map(
      (one) =>
        `  ${one.intentId}  ${one.approved ? 'approved, waits for a server to send it' : orderTitles[one.outcome].title}  ${one.side} ${one.quantity} ${one.ticker}`,
    ),
    ...failures.map((failure) => style('bad', `Notify       ${sayFailure(failure, sayMoment)}`)),
    audit.holds
      ? `Audit trail  ${describeIntactChain(audit.rows)}`
      : style(
          'bad',
          `Audit trail  BROKEN at record ${audit.brokenAt}: a record was changed, removed or added outside this program`,
        ),
    ...last.map((entry) => {
      const { event, intentId, state, rule, reason, code, place } = summarizeAudit(entry);
      const parts = [sayMoment(entry.at), entry.environment, event, state, rule, intentId, reason, code, place];
      return style('dim', removeUnseen(`  ${parts.filter(Boolean).join('  ')}`));
    }),
  ];
}

/** Whether orders can be placed. The reason of a refusal says itself that trading is halted or off. */
export function describeTrading(
  refusal: Refusal | undefined,
  halt: Halt | undefined,
  sayMoment: SayMoment,
): Shown['trading'] {
  if (!refusal) return ['good', 'on'];
  if (refusal.rule === 'halted' && halt)
    return ['bad', removeUnseen(`halted ${describeHalt(halt, sayMoment)} · lift it with: brokerage-mcp resume`)];
  return ['bad', removeUnseen(refusal.reason)];
}
