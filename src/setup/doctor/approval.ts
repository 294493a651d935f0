import { readEnrolment, readWrongPassphrases } from '../../core/approval/enrollment/enrollment.ts';
import { orElse } from '../../core/log.ts';
import { approvalInForce, writeRefusal } from '../../core/orders/halt/trading-state.ts';
import type { ApprovalMethod } from '../../core/orders/intent/approval-port.ts';
import type { Environment } from '../../core/settings/config.ts';
import { type ApprovalReachability, describeApprovalReachability } from './approval-reachability.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';

/** Checks whether a person can approve an order here: requirements, enrolment, and a way to reach the person. */
export async function checkApproval(context: DoctorContext): Promise<readonly Finding[]> {
  const { config } = context;
  if (!config)
    return [note('Not checked: the configuration cannot be used.', 'Fix the problem reported by "configuration".')];
  if (config.readOnly) return [ok('Read-only: no order can be placed.')];
  if (!config.toolsets.includes('trading')) return [ok('The toolset trading is not enabled: no order can be placed.')];
  const { journal, settings } = context.parts();
  const facts = await journal
    .read(async (tx) => ({
      method: await approvalInForce(settings, tx),
      enrolment: await readEnrolment(tx),
      wrong: await readWrongPassphrases(tx),
      stopped: await writeRefusal(settings, tx),
    }))
    .catch(orElse('doctor', undefined));
  if (!facts) return [note('Not checked: the store cannot be read.', 'Fix the problem reported by "store".')];

  const { method, enrolment, wrong, stopped } = facts;
  const isLive = config.environment === 'live';
  const isOff = isLive && !config.liveTrading;
  const found: Finding[] = [];
  if (stopped?.rule === 'live_service')
    found.push(
      fault(
        stopped.reason,
        `Correct BROKER_${config.environment.toUpperCase()}_BASE_URL, ${isLive ? 'or run brokerage-mcp enroll in a terminal, which shows both addresses.' : 'or set BROKER_ENV=live if that is intended.'}`,
      ),
    );
  if (isOff)
    found.push(
      note(
        'Live trading is off: BROKER_LIVE_TRADING is not true.',
        'To place live orders, set BROKER_LIVE_TRADING=true in the server’s environment, and run brokerage-mcp enroll.',
      ),
    );
  if (needsPassphrase(config.environment, method) && !isOff && !enrolment)
    found.push(
      fault(
        `Every order here needs a human’s approval (${method}), but no passphrase is enrolled: all orders are refused.`,
        'Run in a terminal: brokerage-mcp enroll',
      ),
    );
  if (wrong?.isPageLocked)
    found.push(
      (method === 'page' ? fault : warning)(
        'The approval page is locked after five wrong passphrases; approving in a terminal still works.',
        'Find out who typed them, then run in a terminal: brokerage-mcp resume',
      ),
    );
  if (needsPassphrase(config.environment, method) && !isOff && enrolment)
    found.push(...reach(method, describeApprovalReachability(context.terminal)));
  if (found.length > 0) return found;
  if (method === 'none') return [ok(`Orders in ${config.environment} are placed at once, without an approval.`)];
  return [
    ok(
      `Orders are approved by ${method}${method === 'elicitation' ? ', a form of the host' : ''}; a passphrase is ${enrolment ? '' : 'not '}enrolled.`,
    ),
  ];
}

/** Whether no order can be approved without the passphrase of the owner. */
export const needsPassphrase = (environment: Environment, method: ApprovalMethod | 'none'): boolean =>
  environment === 'live' || method === 'page' || method === 'terminal';

/** Reports only obstacles; a terminal can always replace the page. */
function reach(method: string, { browser, terminal, container }: ApprovalReachability): Finding[] {
  const byTerminal = container
    ? 'Approve in a terminal inside the container (docker exec -it NAME brokerage-mcp approve), and set BROKER_APPROVAL=terminal.'
    : 'Approve in a terminal on this machine: brokerage-mcp approve (set BROKER_APPROVAL=terminal to inform the model).';
  if (method === 'page' && container)
    return [
      warning('Orders are approved on a page on 127.0.0.1, but no browser can reach it in this container.', byTerminal),
    ];
  if (method === 'page' && !browser && !terminal)
    return [warning('Orders are approved on a page, but no browser can be opened here.', byTerminal)];
  if (method === 'terminal' && !terminal)
    return [
      note(
        'Orders are approved in a terminal, but this command runs without one.',
        'Open one on this machine: brokerage-mcp approve',
      ),
    ];
  return [];
}
