import { join } from 'node:path';
import { orElse } from '../../core/log.ts';
import { describeHalt } from '../../core/orders/halt/describe-halt.ts';
import { readHalt } from '../../core/orders/halt/halt.ts';
import type { Intent } from '../../core/orders/intent/intent.ts';
import { openStates, unknownStates } from '../../core/orders/intent/states.ts';
import { countOf } from '../../core/text/count-of.ts';
import { createSayMoment } from '../../core/text/say-moment.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, note, ok, warning } from './finding.ts';

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
