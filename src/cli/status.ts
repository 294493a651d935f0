import { countOf } from '../count-of.ts';
import { summarizeAudit } from '../mcp/resources/audit-resource.ts';
import type { AuditEntry } from '../mcp/tool.ts';
import { describeIntactChain } from '../store/audit.ts';
import { describeLocation, resolveStoreLocation } from '../store/store-location.ts';
import type { Command } from './command.ts';
import { withApp } from './with-app.ts';

const maxShownEvents = 10;

/** Shows the state of the store as text, or as JSON with --json. Makes no request. */
export const statusCommand: Command = ({ flags }, terminal) =>
  withApp(flags, terminal, async ({ config, services, security }) => {
    const { orderManager, approvals, audit } = services;
    const state = await orderManager.state();
    const waiting = await approvals.waiting();
    const chain = await audit.verify();
    const last = await audit.last(maxShownEvents);
    const enrolment = await security.enrolment();
    const body = {
      environment: config.environment,
      store: describeLocation(resolveStoreLocation(config)),
      trading: state.refusal ? { state: 'off', ...state.refusal } : { state: 'on' },
      approval: state.approval,
      enrolled: enrolment ? { approval: enrolment.approval, at: new Date(enrolment.enrolledAt).toISOString() } : null,
      riskLimits: state.limits,
      foreignOrders: state.foreignOrders,
      openIntents: state.openIntents.map(({ id, outcome, request }) => ({ intentId: id, outcome, ...request })),
      approvalsWaiting: waiting.map(({ ticket, secondsLeft }) => ({ intentId: ticket.intentId, secondsLeft })),
      audit: { ...chain, last: last.map(summarizeAudit) },
    };
    if (flags.json === 'true') terminal.print(JSON.stringify(body, null, 2));
    else for (const line of lines(body, last)) terminal.print(line);
    return chain.holds ? 0 : 1;
  });

function lines(
  body: {
    environment: string;
    trading: { state: string; rule?: string; reason?: string };
    approval: string;
    openIntents: readonly { intentId: string; outcome: string; side: string; quantity: string; ticker: string }[];
    approvalsWaiting: readonly { intentId: string; secondsLeft: number }[];
    audit: { holds: boolean; rows: number; brokenAt?: number };
  },
  last: readonly AuditEntry[],
): string[] {
  const { trading, audit } = body;
  return [
    `Environment  ${body.environment}`,
    `Trading      ${trading.state}${trading.rule ? ` (${trading.rule}): ${trading.reason}` : ''}`,
    `Approval     ${body.approval}`,
    `Open         ${countOf(body.openIntents.length, 'intent')}, ${body.approvalsWaiting.length} waiting for approval`,
    ...body.openIntents.map((one) => `  ${one.intentId}  ${one.outcome}  ${one.side} ${one.quantity} ${one.ticker}`),
    audit.holds
      ? `Audit trail  ${describeIntactChain(audit.rows)}`
      : `Audit trail  BROKEN at record ${audit.brokenAt}: a record was changed, removed or added outside this program`,
    ...last.map((entry) => {
      const { at, event, intentId, state, rule, reason, code, place } = summarizeAudit(entry);
      return `  ${[at, entry.environment, event, state, rule, intentId, reason, code, place].filter(Boolean).join('  ')}`;
    }),
  ];
}
