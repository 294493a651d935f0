import Big from 'big.js';
import * as z from 'zod';
import { dividendCashActions, type Endpoint, endpoints } from '../endpoints/index.ts';
import { cursor, id, plainNumber, timestamp, withJsonSchema } from '../mcp/arguments.ts';
import { sendJournaledWrite } from '../mcp/journaled-write.ts';
import { group, listOutput, table, text, upstreamFields, writeOutput } from '../mcp/output-schemas.ts';
import { type Columns, paginate } from '../mcp/pagination.ts';
import { defineTool, type ToolCall, type ToolReply } from '../mcp/tool.ts';
import type { RecoveryLookup } from '../orders/write-journal.ts';
import { toIsoTimestamp } from '../text/dates.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

type Pie = z.output<typeof endpoints.listPies.response>[number];

const pieColumns = (names: ReadonlyMap<string, string>): Columns<Pie> => ({
  id: (pie) => pie.id,
  name: (pie) => (pie.id === undefined ? undefined : names.get(pie.id)),
  // The service calls the money that was paid into a pie its cash.
  paidIn: (pie) => pie.cash,
  uninvested: (pie) => subtract(pie.cash, pie.result?.priceAvgInvestedValue),
  progress: (pie) => pie.progress,
  status: (pie) => pie.status,
  invested: (pie) => pie.result?.priceAvgInvestedValue,
  value: (pie) => pie.result?.priceAvgValue,
  result: (pie) => pie.result?.priceAvgResult,
  dividendsGained: (pie) => pie.dividendDetails?.gained,
});

/** What was paid in and is in no share; undefined when a figure is missing or shares cost more than was paid in. */
function subtract(paidIn: string | undefined, invested: string | undefined): string | undefined {
  if (paidIn === undefined || invested === undefined) return undefined;
  const rest = new Big(paidIn).minus(invested);
  return rest.lt(0) ? undefined : rest.toFixed(2);
}

/** The names that get_pie has read. The list has none, and a request for each takes five seconds. */
const namesByBroker = new WeakMap<EndpointDeps['broker'], Map<string, string>>();

function getPieNames({ broker }: EndpointDeps): Map<string, string> {
  const names = namesByBroker.get(broker) ?? new Map<string, string>();
  namesByBroker.set(broker, names);
  return names;
}

const namesNote = 'The list of the service has no names of pies; a pie has its name here once it was read alone.';

const pieId = () => id('From list_pies');
const name = () =>
  z
    .string('must be a name')
    .trim()
    .min(1, 'must not be empty')
    .max(100, 'is too long')
    .meta({ shown: { type: 'string', description: 'Name' } });
const icon = () =>
  z
    .string('must be an icon name')
    .max(100, 'is too long')
    .optional()
    .meta({ shown: { type: 'string', description: 'Icon name' } });

const pieBody = {
  name: name(),
  instrumentShares: withJsonSchema(
    z
      .record(z.string(), plainNumber(1), 'must be an object that maps tickers to weights')
      .refine((shares) => Object.keys(shares).length > 0, 'must name at least one ticker')
      .refine(
        (shares) => Math.abs(Object.values(shares).reduce((sum, share) => sum + share, 0) - 1) < 0.001,
        'must add up to 1',
      ),
    {
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Weight by ticker; must add up to 1',
    },
  ),
  icon: icon(),
  goal: withJsonSchema(plainNumber(), {
    type: 'number',
    description: 'Desired value, account currency',
  }).optional(),
  endDate: timestamp('ISO date').optional(),
  dividendCashAction: z
    .enum(dividendCashActions, 'must be REINVEST or TO_ACCOUNT_CASH')
    .optional()
    .meta({ description: 'Use of dividends' }),
};

export const listPies = defineTool({
  name: 'list_pies',
  title: 'Pies (deprecated)',
  toolset: 'pies',
  effect: 'reads',
  endpoints: [endpoints.listPies],
  description: 'All pies. Deprecated.',
  searchHint:
    'pies, show my pies, how are my pies doing, baskets, auto-invest, which of my shares sit in pies, list of pies, all my pies, how much in each pie, pie performance, return of my pies, what pies do I have, my pies?, my pies, my baskets, overview of pies, how many pies',
  input: z.strictObject({ cursor: cursor() }),
  output: () => ({ ...listOutput(), ...table(pieColumns(new Map())) }),
  run: async (args, call, deps: EndpointDeps) => {
    const { data, answeredAt } = await deps.broker.call(endpoints.listPies, {}, call.context());
    const names = getPieNames(deps);
    const isUnnamed = data.some(({ id }) => id !== undefined && !names.has(id));
    return {
      asOf: answeredAt,
      fields: { complete: true, ...(isUnnamed ? { note: namesNote } : {}) },
      list: paginate(data, pieColumns(names), args),
    };
  },
});

export const getPie = defineTool({
  name: 'get_pie',
  title: 'One pie (deprecated)',
  toolset: 'pies',
  effect: 'reads',
  endpoints: [endpoints.getPie],
  description: 'One pie. Deprecated.',
  searchHint:
    'pie details, what is inside the pie, contents of a basket, how is this pie doing, one pie, which shares are in the pie, weights of the pie, pie performance, what is in my pie, slices of the pie, what does it hold, open the pie, show me the pie, show that pie, progress to its goal',
  input: z.strictObject({ pieId: pieId() }),
  output: () => ({ pie: group(upstreamFields(endpoints.getPie.response)) }),
  run: async (args, call, deps: EndpointDeps) => {
    const { data, answeredAt } = await deps.broker.call(endpoints.getPie, { id: args.pieId }, call.context());
    if (data.settings?.name !== undefined) getPieNames(deps).set(args.pieId, data.settings.name);
    return { asOf: answeredAt, fields: { pie: data } };
  },
});

export const createPie = defineTool({
  name: 'create_pie',
  title: 'Create a pie (deprecated)',
  toolset: 'pies',
  effect: 'creates',
  endpoints: [endpoints.createPie, endpoints.listInstruments],
  description: 'Creates (starts, sets up) a new pie. Result: an outcome. Deprecated by the service.',
  searchHint:
    'new pie, make new pie, basket, half and half, build pie, create basket, set up pie, start a pie, create a pie with 50% and 50%, set up a pie with three funds, a basket of funds, 60/40 pie, another pie, pie with shares',
  input: z.strictObject(pieBody),
  output: () => pieOutput(endpoints.createPie),
  run: async (args, call, deps: EndpointDeps) => {
    await requireTickers(args.instrumentShares, call, deps);
    return writePie(endpoints.createPie, { body: toBody(args) }, call, deps, createPieLookUp(args.name, deps));
  },
});

export const updatePie = defineTool({
  name: 'update_pie',
  title: 'Update a pie (deprecated)',
  toolset: 'pies',
  effect: 'changes',
  endpoints: [endpoints.updatePie, endpoints.listInstruments],
  description: 'Changes (edits, swaps, replaces) the settings, shares and weights of a pie. Deprecated by the service.',
  searchHint:
    'change pie, put more of share in my pie, basket weights, rename pie, edit, add share to pie, change the weights, more or less of it in the pie, adjust, swap one of the slices, change the slices, set the goal of the pie, pie end date, modify the pie, update the pie, replace a share in the pie, remove a share from the pie, set to reinvest dividends, reinvest, rebalance the pie, icon, target of the pie',
  input: z.strictObject({ pieId: pieId(), ...pieBody }),
  output: () => pieOutput(endpoints.updatePie),
  run: async ({ pieId, ...args }, call, deps: EndpointDeps) => {
    // The update can fail or be uncertain, so the name is read again.
    getPieNames(deps).delete(pieId);
    await requireTickers(args.instrumentShares, call, deps);
    return writePie(endpoints.updatePie, { id: pieId, body: toBody(args) }, call, deps);
  },
});

export const deletePie = defineTool({
  name: 'delete_pie',
  title: 'Delete a pie (deprecated)',
  toolset: 'pies',
  effect: 'deletes',
  endpoints: [endpoints.deletePie],
  description: 'Deletes (removes) a pie. Deprecated by the service.',
  searchHint:
    'remove a pie, delete the old pie, get rid of a basket, delete the pie, close the pie, bin the pie, get rid of the pie, remove pies, scrap my pie, do not want the pie any more',
  input: z.strictObject({ pieId: pieId() }),
  output: () => writeOutput(z.null()),
  run: (args, call, deps: EndpointDeps) => writePie(endpoints.deletePie, { id: args.pieId }, call, deps),
});

export const duplicatePie = defineTool({
  name: 'duplicate_pie',
  title: 'Duplicate a pie (deprecated)',
  toolset: 'pies',
  effect: 'creates',
  endpoints: [endpoints.duplicatePie],
  description: 'Copies (duplicates) a pie. Deprecated by the service.',
  searchHint:
    'copy pie, copy that pie, duplicate, basket, the same pie again, clone, make a copy of my pie, copy of the pie, copy it, second pie like it, replicate',
  input: z.strictObject({ pieId: pieId(), name: name().optional(), icon: icon() }),
  output: () => pieOutput(endpoints.duplicatePie),
  run: ({ pieId, ...body }, call, deps: EndpointDeps) =>
    writePie(endpoints.duplicatePie, { id: pieId, body }, call, deps, createPieLookUp(body.name, deps)),
});

/** A pie that was found after a lost response is known by its id alone. */
const pieOutput = ({ response }: Endpoint) => writeOutput(z.looseObject({ ...upstreamFields(response), id: text() }));

const writePie = (
  endpoint: Endpoint,
  request: { id?: string; body?: unknown },
  call: ToolCall,
  deps: EndpointDeps,
  lookUp?: RecoveryLookup,
): Promise<ToolReply> =>
  sendJournaledWrite(endpoint, request, call, deps, {
    changesAccount: true,
    whenUnknown: 'Check with list_pies whether it happened before you repeat it.',
    lookUp,
  });

/** Maximum assumed difference between the clocks of this machine and the service (ms). */
const marginMs = 60_000;

/** Recovery after a lost response: finds a pie created since then, by its name when one was given. */
const createPieLookUp = (name: string | undefined, deps: EndpointDeps): RecoveryLookup => ({
  ids: async (context) => {
    const { data } = await deps.broker.call(endpoints.listPies, {}, context);
    // Newer pies have had higher ids in all observed responses.
    return data.flatMap(({ id }) => id ?? []).sort((a, b) => Number(b) - Number(a));
  },
  isIt: async (id, sentAt, context) => {
    const { settings } = (await deps.broker.call(endpoints.getPie, { id }, context)).data;
    const createdAt = Date.parse(settings?.creationDate ?? '');
    return createdAt > sentAt - marginMs && (name === undefined || settings?.name === name);
  },
  result: (id) => ({ id }),
});

const toBody = <Args extends { endDate?: number | undefined }>({ endDate, ...rest }: Args) => ({
  ...rest,
  ...(endDate === undefined ? {} : { endDate: toIsoTimestamp(endDate) }),
});

async function requireTickers(shares: Record<string, number>, call: ToolCall, deps: EndpointDeps): Promise<void> {
  for (const ticker of Object.keys(shares)) await deps.directory.getOrThrow(ticker, call.context());
}
