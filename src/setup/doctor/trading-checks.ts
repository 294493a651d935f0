import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasPasskeys, readEnrolment, readWrongPassphrases } from '../../core/approval/enrollment/enrollment.ts';
import { UsageError } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import { approvalInForce, describeHalt, readHalt, writeRefusal } from '../../core/orders/halt/trading-state.ts';
import { type ApprovalMethod, isByForm, methodFacts } from '../../core/orders/intent/approval-methods.ts';
import type { Intent } from '../../core/orders/intent/intent.ts';
import { openStates, unknownStates } from '../../core/orders/intent/states.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import { createBrowserOpener } from '../../core/process/process-context.ts';
import { openTty } from '../../core/process/terminal.ts';
import type { Environment } from '../../core/settings/config.ts';
import { readPublicUrl } from '../../core/settings/http-settings.ts';
import { loadSettings } from '../../core/settings/load-settings.ts';
import { describeIntactChain } from '../../core/store/audit-table.ts';
import { describeLocation, storeFile } from '../../core/store/store-location.ts';
import { countOf } from '../../core/text/count-of.ts';
import { createSayMoment } from '../../core/text/format-moment.ts';
import { type DoctorContext, type Finding, fault, note, ok, warning } from './context.ts';

const maxShown = 5;

/** Checks what blocks an order now, in any environment of the store: halts, lost orders, pending approvals. */
export async function checkTrading(context: DoctorContext): Promise<readonly Finding[]> {
  const { journal, settings, services } = context.parts();
  const isHaltedByFile = settings.haltFile();
  const kept = await journal
    .read(async (tx) => ({ halt: await readHalt(tx), open: await tx.list({ states: openStates }) }))
    .catch(orElse('doctor', undefined));
  const found: Finding[] = [];
  const sayMoment = createSayMoment(context.terminal.zone(), services.clock);
  const fix = 'When the reason is resolved, run in a terminal: brokerage-mcp resume';
  if (kept?.halt) {
    found.push(warning(`New orders are halted ${describeHalt(kept.halt, sayMoment)}`, fix));
  }
  if (isHaltedByFile) found.push(warning(`The file ${join(context.stateDir, 'halt')} halts new orders.`, fix));
  if (!kept)
    return [
      ...found,
      note('Orders were not checked: the store cannot be read.', 'Fix the problem reported by "store".'),
    ];

  const isUnknown = ({ state }: Intent) => unknownStates.some((one) => one === state);
  const unknown = kept.open.filter(isUnknown);
  for (const intent of unknown.slice(0, maxShown))
    found.push(
      warning(
        `${describe(intent)} is ${intent.state} since ${sayMoment(intent.changedAt)}: it may be live.`,
        'Do not place it again; check the broker’s application, let a server run (it searches automatically for an hour), then close it: brokerage-mcp resume',
      ),
    );
  if (unknown.length > maxShown)
    found.push(
      warning(
        `The outcome of ${countOf(unknown.length - maxShown, 'more order')} is unknown.`,
        'See them with: brokerage-mcp status',
      ),
    );

  const waiting = await services.approvals.waiting();
  for (const { ticket, secondsLeft } of waiting.slice(0, maxShown))
    found.push(
      note(
        `The order ${ticket.intentId} is waiting for approval, for ${secondsLeft} more seconds.`,
        `brokerage-mcp approve ${ticket.intentId} (or reject)`,
      ),
    );
  const others = kept.open.filter((intent) => !isUnknown(intent) && intent.state !== 'AWAITING_APPROVAL');
  if (others.length > 0)
    found.push(
      note(
        `Being sent: ${countOf(others.length, 'order')} (${[...new Set(others.map(({ state }) => state))].join(', ')}).`,
        'A running server settles them within a minute; check with: brokerage-mcp status',
      ),
    );
  return found.length > 0 ? found : [ok('Not halted; no order is unknown or waiting.')];
}

const describe = ({ request, environment, id }: Intent) =>
  `${request.side} ${request.quantity} ${request.ticker} (${environment}, ${id})`;

/** Checks whether clients of the web can connect, where the owner set a public address. */
export async function checkWebClients(context: DoctorContext): Promise<readonly Finding[]> {
  const { config, flags, terminal } = context;
  if (!config)
    return [note('Not checked: the configuration cannot be used.', 'Fix the problem reported by "configuration".')];
  let address: string | undefined;
  try {
    address = readPublicUrl(loadSettings(flags, terminal).httpPublicUrl);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [fault(`${error.problem}: the HTTP server does not start.`, `Correct it: ${error.facts.next}`)];
  }
  if (address === undefined) return [ok('No public address is set: no client of the web can connect.')];
  const { journal, grants } = context.parts();
  const facts = await journal
    .read(async (tx) => ({ enrolment: await readEnrolment(tx), wrong: await readWrongPassphrases(tx) }))
    .catch(orElse('doctor', undefined));
  if (!facts) return [note('Not checked: the store cannot be read.', 'Fix the problem reported by "store".')];
  if (!facts.enrolment)
    return [
      fault(
        `Clients of the web cannot log in at ${address}: no passphrase is enrolled.`,
        'Run in a terminal: brokerage-mcp enroll',
      ),
    ];
  if (facts.wrong?.locked.includes('web'))
    return [
      warning(
        'The login page on the web is locked after five wrong passphrases; connected clients stay connected.',
        'Find out who typed them, then run in a terminal: brokerage-mcp resume',
      ),
    ];
  const connected = (await grants.read((tx) => tx.listGrants())).filter(({ usedAt }) => usedAt !== undefined);
  return [ok(`Clients of the web connect to ${address}/mcp; connected now: ${connected.length}.`)];
}

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
      hasPasskey: await hasPasskeys(tx),
      stopped: await writeRefusal(settings, tx),
    }))
    .catch(orElse('doctor', undefined));
  if (!facts) return [note('Not checked: the store cannot be read.', 'Fix the problem reported by "store".')];

  const { method, enrolment, wrong, hasPasskey, stopped } = facts;
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
  if (wrong?.locked.includes('page'))
    found.push(
      (methodFacts[method].hostOpens === 'page' ? fault : warning)(
        'The approval page is locked after five wrong passphrases; approving in a terminal still works.',
        'Find out who typed them, then run in a terminal: brokerage-mcp resume',
      ),
    );
  if (config.approvalPage && enrolment && !hasPasskey)
    found.push(
      warning(
        `Under ${config.approvalPage.origin} the approval page takes the passphrase: no passkey is enrolled.`,
        'Run in a terminal: brokerage-mcp passkey add NAME',
      ),
    );
  if (needsPassphrase(config.environment, method) && !isOff && enrolment)
    found.push(...reach(method, describeApprovalReachability(context.terminal)));
  if (found.length > 0) return found;
  if (method === 'none') return [ok(`Orders in ${config.environment} are placed at once, without an approval.`)];
  return [
    ok(
      `Orders are approved by ${method}${isByForm(method) ? ', a form of the host' : ''}; a passphrase is ${enrolment ? '' : 'not '}enrolled.`,
    ),
  ];
}

/** Whether no order can be approved without the passphrase of the owner. */
export const needsPassphrase = (environment: Environment, method: ApprovalMethod | 'none'): boolean =>
  environment === 'live' || methodFacts[method].needsPassphrase;

/** Reports only obstacles; a terminal can always replace the page. */
function reach(method: ApprovalMethod | 'none', { browser, terminal, container }: ApprovalReachability): Finding[] {
  const byTerminal = container
    ? 'Approve in a terminal inside the container (docker exec -it NAME brokerage-mcp approve), and set BROKER_APPROVAL=terminal.'
    : 'Approve in a terminal on this machine: brokerage-mcp approve (set BROKER_APPROVAL=terminal to inform the model).';
  const unreachable = container
    ? 'Orders are approved on a page on 127.0.0.1, but no browser can reach it in this container.'
    : 'Orders are approved on a page, but no browser can be opened here.';
  const obstacles: Record<ApprovalMethod | 'none', Finding | false> = {
    none: false,
    elicitation: false,
    page: (container || (!browser && !terminal)) && warning(unreachable, byTerminal),
    terminal:
      !terminal &&
      note(
        'Orders are approved in a terminal, but this command runs without one.',
        'Open one on this machine: brokerage-mcp approve',
      ),
  };
  const obstacle = obstacles[method];
  return obstacle ? [obstacle] : [];
}

// How a person can approve orders on this machine: browser, terminal, container.

interface ApprovalReachability {
  readonly browser: boolean;
  readonly terminal: boolean;
  readonly container: boolean;
}

function describeApprovalReachability(terminal: ProcessContext): ApprovalReachability {
  const { platform, env } = terminal;
  const tty = openTty(terminal);
  tty?.close();
  return {
    browser:
      createBrowserOpener(platform, env) !== undefined && (platform !== 'linux' || isInPath('xdg-open', env.PATH)),
    terminal: tty !== undefined,
    container: platform === 'linux' && isContainer(env),
  };
}

const isInPath = (name: string, path = '') => path.split(delimiter).some((folder) => existsSync(join(folder, name)));

/** No system reports this directly; these are the traces that common container systems leave. */
function isContainer(env: ProcessContext['env']): boolean {
  if (env.KUBERNETES_SERVICE_HOST || env.container) return true;
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  try {
    return /docker|kubepods|containerd|lxc/.test(readFileSync('/proc/1/cgroup', 'utf8'));
  } catch {
    // The file exists on Linux only.
    return false;
  }
}

/** Checks the hash chain over every write, approval and refusal. */
export async function checkAuditTrail(context: DoctorContext): Promise<readonly Finding[]> {
  const chain = await context.parts().services.audit.verify().catch(orElse('doctor', undefined));
  if (!chain) return [note('Not checked: the store cannot be read.', 'Fix the problem reported by "store".')];
  if (chain.holds) return [ok(`${describeIntactChain(chain.rows)}.`)];
  const copy =
    'stateUrl' in context.place
      ? `pg_dump '${describeLocation(context.place)}' > evidence.sql`
      : `cp '${storeFile(context.stateDir)}' '${storeFile(context.stateDir)}.evidence'`;
  return [
    fault(
      `The chain is broken at record ${chain.brokenAt}: a record was changed, removed or added outside this program.`,
      `Keep a copy (${copy}), compare brokerage-mcp status with the orders in the broker’s application, and find out who else writes there.`,
    ),
  ];
}
