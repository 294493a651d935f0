import * as z from 'zod';
import type { Broker, CallContext } from '../../core/broker/types.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { ticker, withJsonSchema } from '../../core/mcp/arguments.ts';
import { table } from '../../core/mcp/output-schemas.ts';
import { type Columns, toTable } from '../../core/mcp/pagination.ts';
import { defineTool } from '../../core/mcp/tool.ts';
import type { WatchBook } from './watch-book.ts';
import {
  describeWatch,
  readCondition,
  readWatch,
  requireHolding,
  type Watch,
  type WatchArguments,
  watchedKinds,
} from './watch-rules.ts';

export interface WatchToolDeps {
  readonly broker: Broker;
  readonly watches: WatchBook;
}

/**
 * Adds the watch that the arguments describe, or returns the one that exists. Throws `invalid_argument`, `no_price` for
 * what is not held, and what reading the positions throws.
 */
export async function addWatch(
  { broker, watches }: WatchToolDeps,
  args: WatchArguments,
  context: CallContext,
): Promise<Watch> {
  const question = readWatch(args);
  if (question.ticker !== undefined) {
    const { data } = await broker.call(endpoints.listPositions, {}, context);
    requireHolding(question, new Set(data.flatMap((position) => getTicker(position) ?? [])));
  }
  return watches.add(question);
}

export const watchColumns: Columns<Watch> = {
  watchId: ({ id }) => id,
  kind: ({ kind }) => kind,
  ticker: ({ ticker }) => ticker,
  above: (watch) => (watch.kind === 'price' && watch.direction === 'above' ? watch.level : undefined),
  below: (watch) => (watch.kind === 'price' && watch.direction === 'below' ? watch.level : undefined),
  percent: (watch) => (watch.kind === 'move' ? watch.percent : undefined),
};

const standing = Object.values(watchedKinds).flatMap(({ isStanding, meaning }) => (isStanding ? [meaning] : []));

const notRunning = 'Nothing is reported now, because no process watches: the user must run brokerage-mcp watch.';

const condition = () =>
  withJsonSchema(
    z.string('must be text').transform((text, ctx) => {
      const found = readCondition(text);
      if (found) return found;
      ctx.addIssue({ code: 'custom', message: 'must be "above 80", "below 60" or "moves 5", which is in percent' });
      return z.NEVER;
    }),
    { type: 'string', description: 'above N, below N, moves N %' },
  );

export const watchTool = defineTool({
  name: 'watch',
  title: 'Watch prices and moves',
  toolset: 'status',
  effect: 'saves',
  endpoints: [endpoints.listPositions],
  description: 'Price alerts: notifies when a price hits a level, drops or moves; without arguments the list.',
  searchHint:
    'tell me when price hits 80, alert, alerts, price alert, notify me, notify me when it reaches or drops to price, watch list, let me know when, ping me, warn me if it falls, watch this share, if my portfolio drops by 5 percent, notification when order fills or dividend arrives, what do you watch, which alerts are set, remind me, keep an eye on, crosses a level, email me, message me, what alerts have I got on, any alerts set up, list of alerts, set an alert, create an alert, ping me when it hits 100, tell me if it goes over 70, warn me if anything drops more than 5%, alarm, monitor, track the price, when it goes above, below, under, over, rises, falls, price notification, heads up, shout, text me, watchlist, price target, keep me posted, if it moves',
  input: z.strictObject({
    ticker: ticker('From list_positions').optional(),
    when: condition().optional(),
  }),
  output: () => ({
    message: z.string(),
    watching: z.boolean(),
    watchId: z.string().optional(),
    always: z.array(z.string()),
    ...table(watchColumns),
  }),
  run: async (args, call, deps: WatchToolDeps) => {
    const { ticker: held, when } = args;
    const isQuestion = held !== undefined || when !== undefined;
    const added = isQuestion ? await addWatch(deps, { ticker: held, ...when }, call.context()) : undefined;
    const watches = await deps.watches.list();
    const watching = await deps.watches.isWatched();
    const said = added
      ? `The user is notified when ${describeWatch(added)}.`
      : `Watches beside what is always reported: ${watches.length}.`;
    return {
      fields: {
        message: watching ? said : `${said} ${notRunning}`,
        watching,
        ...(added ? { watchId: added.id } : {}),
        always: standing,
        ...toTable(watches, watchColumns),
      },
    };
  },
});
