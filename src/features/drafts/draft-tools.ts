import * as z from 'zod';
import { endpoints } from '../../core/endpoints/index.ts';
import { orderSides } from '../../core/endpoints/orders.ts';
import { nameInstruments } from '../../core/instruments/name-instruments.ts';
import { cursor, withJsonSchema } from '../../core/mcp/arguments.ts';
import { checkOrderFields, orderShape } from '../../core/mcp/order-arguments.ts';
import {
  amount,
  count,
  group,
  groups,
  listOutput,
  ruleNames,
  table,
  text,
  texts,
  yesNo,
} from '../../core/mcp/output-schemas.ts';
import { type Columns, paginate } from '../../core/mcp/pagination.ts';
import { defineTool, type ToolCall, type ToolReply } from '../../core/mcp/tool.ts';
import type { OrderRequest } from '../../core/orders/intent/order-request.ts';
import { refuseByLimits } from '../../core/orders/risk/risk-rules.ts';
import { countOf } from '../../core/text/count-of.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import { separateShared } from '../../core/text/shared-texts.ts';
import { lacksExtendedHours } from '../../core/tools/market-wait.ts';
import { readBefore } from '../../core/tools/trading-tools.ts';
import { listNames } from '../analytics/names.ts';
import { type AssessedLeg, assessDraft } from './assess-draft.ts';
import { type Draft, type DraftLeg, type DraftVersion, maxLegs, type OpenedDraft } from './book/draft.ts';
import { nameDraft } from './book/draft-plan.ts';
import { listOpenDrafts, readDraft } from './book/find-draft.ts';
import { addKnownPrices, toOrder, wrongLeg } from './book/legs.ts';
import { saveDraft } from './book/save-draft.ts';
import { describeDiscarded, describeDraft, describeDraftList } from './describe-draft.ts';
import { draftOutput, draftRefusalOutput, draftStates, submissionOutput } from './draft-outputs.ts';
import { type DraftToolDeps, draftId, getSender, savedFields, version } from './draft-tool-deps.ts';
import { valueDrafts } from './draft-values.ts';
import {
  endRecurring,
  listProblems,
  listRecurring,
  nameTargets,
  recurringOutput,
  splitAmounts,
} from './recurring/recurring-answers.ts';
import { announceApproval } from './submission/announce-approval.ts';
import {
  describeDraftState,
  isChecked,
  reportLatest,
  type SubmissionReport,
  type WaitingApproval,
} from './submission/describe-submission.ts';
import { discardDraft } from './submission/stop-submission.ts';

const leg = () =>
  z
    .strictObject({
      ...orderShape(),
      reason: z.string('must be a text').max(300, 'is too long').optional(),
    })
    .superRefine(checkOrderFields);

const number = { type: 'number' };

/** The list of orders. The fields are described in preview_order, which is registered whenever this tool is. */
const legs = () =>
  withJsonSchema(
    z
      .array(leg(), 'must be a list of orders')
      .min(1, 'must have 1 to 30 orders')
      .max(maxLegs, 'must have 1 to 30 orders'),
    {
      type: 'array',
      description: '1 to 30 orders, as in preview_order',
      items: {
        type: 'object',
        properties: {
          type: { enum: ['LIMIT', 'MARKET', 'STOP', 'STOP_LIMIT'] },
          ticker: { type: 'string' },
          side: { enum: ['BUY', 'SELL'] },
          quantity: number,
          limitPrice: number,
          stopPrice: number,
          timeValidity: { enum: ['DAY', 'GOOD_TILL_CANCEL'] },
          extendedHours: { type: 'boolean' },
          reason: { type: 'string' },
        },
        required: ['type', 'ticker', 'side', 'quantity'],
      },
    },
  );

export const saveDraftTool = defineTool({
  name: 'save_draft',
  title: 'Save a draft',
  toolset: 'drafting',
  effect: 'drafts',
  endpoints: [endpoints.listInstruments, endpoints.listPositions],
  description:
    'Saves (prepares, writes down) a draft or basket of orders for later approval, or changes it (renames, adds, removes). With draftId, replaces its legs.',
  searchHint:
    'draft several orders, prepare basket of trades, write it down for later, do not send it yet, save it as draft, change draft, edit leg, change the quantity, remove one from the draft, note it down, keep these orders, put them on list, make draft of it, remove leg 2, replace leg, make it 4 shares instead, without sending, write that down as a draft, rename my draft, change the second one, take it out of the draft, add another one, add another buy to it, add another to it, add an order to the draft, drop a leg, edit the draft, update the draft, basket of stocks, put together, prepare the trades for me, orders for approval, I will check it later, keep for later, do not send anything, name it, note, list of orders to buy, make it fewer or more, modify the quantity',
  input: z
    .strictObject({
      draftId: draftId().optional(),
      version: version().optional(),
      name: z.string('must be a text').max(120, 'is too long').optional().meta({ description: 'Name' }),
      legs: legs(),
    })
    .refine(
      (args) => (args.draftId === undefined) === (args.version === undefined),
      'Give draftId and version together, or neither for a new draft',
    ),
  output: () => ({
    draftId: z.string(),
    version: z.number(),
    expiresAt: z.string(),
    message: z.string(),
    next: z.string(),
    legs: z.number(),
    sent: z.boolean(),
    unpriced: texts(),
    refused: groups(draftRefusalOutput()),
  }),
  run: async ({ draftId, version, name, legs }, call, deps: DraftToolDeps) => {
    for (const [index, leg] of legs.entries()) {
      const instrument = await deps.directory.getOrThrow(leg.ticker, call.context());
      if (lacksExtendedHours(leg, instrument))
        throw wrongLeg(
          index + 1,
          'is for an instrument that does not trade outside regular hours',
          'Omit extendedHours.',
        );
    }
    const seen = draftId === undefined || version === undefined ? undefined : { draftId, version };
    const priced = await addKnownPrices(
      deps.broker,
      legs as readonly (OrderRequest & { reason?: string })[],
      call.context(),
    );
    const saved = await saveDraft(deps.drafts, { seen, name, legs: priced });
    const limits = await deps.drafts.store.read((tx) => deps.drafts.limits(tx));
    const refused = priced.flatMap((leg, index) => {
      const refusal = refuseByLimits(toOrder(leg), leg.price, limits);
      return refusal ? [{ leg: index + 1, ...refusal }] : [];
    });
    const unpriced = [...new Set(priced.flatMap(({ ticker, price }) => (price === undefined ? [ticker] : [])))];
    return {
      fields: {
        ...savedFields(saved),
        legs: legs.length,
        sent: false,
        ...(unpriced.length > 0 ? { unpriced } : {}),
        ...(refused.length > 0 ? { refused } : {}),
        message: `The draft holds ${countOf(legs.length, 'order')}. Nothing was sent.${explainUnpriced(unpriced)}${explainRefused(refused)}`,
        next: `${refused.length > 0 ? 'Tell the user, or save other legs. ' : ''}Call list_drafts with draftId ${saved.draftId} for estimates and checks, before the user decides.`,
      },
    };
  },
});

/** Only a leg with a price is refused as stale when the price has moved. */
const explainUnpriced = (tickers: readonly string[]): string =>
  tickers.length === 0
    ? ''
    : ` The positions show no price of ${listNames(tickers)}, so submit_draft cannot tell whether it has moved since.`;

/** What the limits alone say; list_drafts and submit_draft compare the legs with the account too. */
const explainRefused = (refused: readonly { readonly leg: number; readonly reason: string }[]): string =>
  refused.map(({ leg, reason }) => ` Leg ${leg} would be refused now: ${reason}`).join('');

type ListedDraft = OpenedDraft & { readonly state: string };

const draftColumns: Columns<ListedDraft> = {
  draftId: ({ draft }) => draft.id,
  name: ({ draft, latest }) => nameDraft(draft, latest.legs),
  version: ({ draft }) => draft.version,
  state: ({ state }) => state,
  legs: ({ latest }) => latest.legs.length,
  source: ({ draft }) => draft.source,
  lastChange: ({ latest }) => latest.channel,
  changedAt: ({ latest }) => toIsoTimestamp(latest.createdAt),
  expiresAt: ({ draft }) => toIsoTimestamp(draft.expiresAt),
};

type NumberedLeg = AssessedLeg & { readonly number: number };

const legColumns: Columns<NumberedLeg> = {
  leg: ({ number }) => number,
  side: ({ leg }) => leg.side,
  quantity: ({ leg }) => leg.quantity,
  ticker: ({ leg }) => leg.ticker,
  type: ({ leg }) => leg.type,
  limitPrice: ({ leg }) => leg.limitPrice,
  stopPrice: ({ leg }) => leg.stopPrice,
  priceCurrency: ({ priceCurrency }) => priceCurrency,
  timeValidity: ({ leg }) => leg.timeValidity,
  extendedHours: ({ leg }) => leg.extendedHours,
  price: ({ leg }) => leg.price,
  priceAssumed: ({ leg }) => leg.isPriceAssumed,
  priceNow: ({ estimate }) => estimate?.lastKnownPrice,
  value: ({ estimate }) => estimate?.value ?? estimate?.assumed?.value,
  dependsOnSells: ({ dependsOnSells }) => dependsOnSells,
  rule: ({ refusal }) => refusal?.rule,
  problem: ({ refusal }) => refusal?.reason,
  largestQuantity: ({ refusal }) => refusal?.largestQuantity,
  warnings: ({ repeats, warnings }) =>
    repeats ? [repeats.text, ...warnings] : warnings.length > 0 ? warnings : undefined,
  reason: ({ leg }) => leg.reason,
};

/** The last changes of a draft that are listed. */
const maxEdits = 20;

/** One draft with its legs as they are now. */
async function showDraft(
  draftId: string,
  from: string | undefined,
  call: ToolCall,
  deps: DraftToolDeps,
): Promise<ToolReply> {
  const latest = await reportLatest(deps.drafts, draftId, 'model');
  const { draft, versions } = await readDraft(deps.drafts, draftId);
  const legs = versions.at(-1)?.legs ?? [];
  const submission = latest && (await announceApproval(deps.drafts, latest)).report;
  const facts = draftFields({ draft, legs }, submission, deps.clock.now());
  const saved = { draftId, version: draft.version };
  const toAssess = { legs, saved, isSubmitted: facts.state !== 'open' };
  const review = isChecked(facts.state) ? await assessDraft(deps.drafts, toAssess, call.context()) : undefined;
  const shown = review?.legs ?? legs.map((leg) => ({ leg, warnings: [], dependsOnSells: false }));
  const { shared, own } = separateShared(shown.map(({ warnings }) => warnings));
  const numbered: NumberedLeg[] = shown.map((one, index) => ({
    ...one,
    warnings: own[index] ?? [],
    number: index + 1,
  }));
  return {
    asOf: review?.asOf,
    fields: {
      ...facts,
      ...describeDraft({ draft, state: facts.state, legs: legs.length, review, submission }, getSender(deps)),
      totals: review?.totals,
      refused: review?.refused,
      complete: review?.complete ?? true,
      ...(shared.length > 0 ? { notes: shared } : {}),
      edits: editsIn(versions),
      ...(submission ? { submission } : {}),
    },
    viewData: { names: nameLegs(legs, deps) },
    list: paginate(numbered, legColumns, { cursor: from }),
  };
}

const nameLegs = (legs: readonly DraftLeg[], { directory }: DraftToolDeps) =>
  nameInstruments(
    directory,
    legs.map(({ ticker }) => ticker),
  );

const draftFields = (
  { draft, legs }: { readonly draft: Draft; readonly legs: readonly DraftLeg[] },
  submission: SubmissionReport | undefined,
  now: number,
) => ({
  draftId: draft.id,
  name: nameDraft(draft, legs),
  version: draft.version,
  state: describeDraftState(draft, submission, now),
  source: draft.source,
  createdAt: toIsoTimestamp(draft.createdAt),
  expiresAt: toIsoTimestamp(draft.expiresAt),
});

const editsIn = (versions: readonly DraftVersion[]) =>
  versions.slice(-maxEdits).map(({ version, createdAt, channel, edit }) => ({
    version,
    at: toIsoTimestamp(createdAt),
    channel,
    edit,
  }));

export const listDraftsTool = defineTool({
  name: 'list_drafts',
  title: 'Drafts of orders',
  toolset: 'drafting',
  effect: 'drafts',
  onlyShows: true,
  endpoints: readBefore,
  description:
    'Drafts and recurring (regular, savings) plans with their next run; with draftId legs, approval, results.',
  searchHint:
    'my drafts, planned orders, what in the draft, show me the draft or the plan, what will be bought, which monthly plans do have running, recurring plans, what due, it waiting for my approval, open the draft, what are the legs, which plans exist, standing plans, recurring or regular investments, list plans, status of the plan, has the draft been sent, has anyone approved it, approval status of the draft, approved yet, which drafts, saved drafts, saved plans, plan draft, plan from last week, when does the monthly plan run next, next purchase of the savings plan, whether the basket was bought, regular investments that are set up, results of the draft, old drafts, my savings plans, planned trades, standing orders, upcoming purchases, legs, state of the draft, list of my drafts, details, made earlier, what we planned, where is it, find it again',
  view: 'draft',
  input: z.strictObject({ draftId: draftId().optional(), cursor: cursor() }),
  output: () => ({
    ...listOutput(),
    ...table([draftColumns, legColumns], {
      leg: z.number(),
      legs: z.number(),
      version: z.number(),
      state: z.enum(draftStates),
      side: z.enum(orderSides),
      extendedHours: z.boolean(),
      priceAssumed: z.boolean(),
      dependsOnSells: z.boolean(),
      rule: z.enum(ruleNames),
      warnings: z.array(z.string()),
    }),
    ...draftOutput(),
    draftId: text(),
    message: z.string(),
    next: z.string(),
    retryAfterSeconds: count(),
    drafts: count(),
    plans: groups(recurringOutput()),
    totals: group({
      currency: text(),
      bought: amount(),
      sold: amount(),
      unknownValues: count(),
      cash: amount(),
      isFunded: yesNo(),
    }),
    refused: group(draftRefusalOutput()),
    notes: texts(),
    edits: groups({
      version: count(),
      at: text(),
      channel: text(),
      edit: group({ kind: text(), leg: count(), quantity: amount(), limitPrice: amount() }),
    }),
    submission: group(submissionOutput()),
  }),
  run: async (args, call, deps: DraftToolDeps) => {
    if (args.draftId !== undefined) return showDraft(args.draftId, args.cursor, call, deps);
    const open: ListedDraft[] = [];
    const approvals: Record<string, Pick<WaitingApproval, 'address' | 'expiresAt'>> = {};
    for (const found of await listOpenDrafts(deps.drafts)) {
      const submission = await reportLatest(deps.drafts, found.draft.id, 'model');
      open.push({ ...found, state: describeDraftState(found.draft, submission, deps.clock.now()) });
      const { approval } = submission ? (await announceApproval(deps.drafts, submission)).report : {};
      if (approval) approvals[found.draft.id] = { address: approval.address, expiresAt: approval.expiresAt };
    }
    const recurring = await deps.recurringPlans.list();
    const values = await valueDrafts(open, deps, call.context());
    return {
      fields: {
        drafts: open.length,
        complete: true,
        ...describeDraftList(open.length),
        ...(recurring.length > 0 ? { plans: await listRecurring(deps.recurringPlans, recurring, call.signal) } : {}),
      },
      viewData: {
        names: nameTargets(
          recurring.map(({ question }) => question),
          deps,
        ),
        draftValues: values.drafts,
        draftApprovals: approvals,
        draftTotals: values.all,
        targetAmounts: splitAmounts(recurring),
        planProblems: listProblems(recurring),
      },
      list: paginate(open, draftColumns, args),
    };
  },
});

export const discardDraftTool = defineTool({
  name: 'discard_draft',
  title: 'Discard a draft',
  toolset: 'drafting',
  effect: 'drafts',
  endpoints: [],
  description: 'Deletes (forgets) a draft or stops recurring investing (savings plan). Cancels no order.',
  searchHint:
    'delete draft, drop plan, throw that draft away, forget the draft, end monthly plan, stop the monthly or weekly plan, stop investing every month, cancel the savings plan, get rid of the draft, remove the plan, do not want it any more, no more monthly investing, stop saving, pause, abandon, cancel my monthly investment, stop my regular investing, end the savings plan, cancel the recurring plan, I do not want the plan any more, bin it, scrap the draft, delete the old drafts, clear my drafts, get rid of old plans, drop it, forget that plan, changed my mind about the draft, stop the standing order, turn off automatic investing, stop buying every month',
  input: z.strictObject({ draftId: draftId() }),
  output: () => ({
    ...draftOutput(),
    draftId: z.string(),
    state: z.enum([...draftStates, 'ended']),
    message: z.string(),
    next: z.string(),
  }),
  run: async ({ draftId }, _call, deps: DraftToolDeps) => {
    const ended = await endRecurring(deps.recurringPlans, draftId);
    if (ended) return { fields: ended };
    const draft = await discardDraft(deps.drafts, draftId);
    const { versions } = await readDraft(deps.drafts, draftId);
    const submission = await reportLatest(deps.drafts, draftId, 'model');
    const fields = draftFields({ draft, legs: versions.at(-1)?.legs ?? [] }, submission, deps.clock.now());
    return { fields: { ...fields, ...describeDiscarded(draft, submission) } };
  },
});
