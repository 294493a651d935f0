import { join } from 'node:path';
import * as z from 'zod';
import { endpoints, type Position } from '../../../core/endpoints/index.ts';
import { cursor, integer } from '../../../core/mcp/arguments.ts';
import { amount, count, group, listOutput, table, text, texts } from '../../../core/mcp/output-schemas.ts';
import { type Columns, paginate, toTable } from '../../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import { formatMoney, formatPercent, formatRatio } from '../../../core/text/format-figures.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import { checksOutput, formatChecks } from '../check.ts';
import { type LookThrough, type LookThroughBy, type LookThroughGroup, lookThrough } from '../look-through.ts';
import { nameCountry } from '../names.ts';
import { analyzePortfolio, type Portfolio, type PortfolioBy, type PortfolioGroup, toHoldings } from '../portfolio.ts';

const maxGroups = 500;
/** Maximum notes about missing figures; there could be one per position and figure. */
const maxNotes = 5;

const groupColumns: Columns<PortfolioGroup> = {
  group: ({ group }) => group,
  value: ({ value }) => formatMoney(value),
  weightPercent: ({ weightPercent }) => formatPercent(weightPercent),
  cost: ({ cost }) => formatMoney(cost),
  profitLoss: ({ profitLoss }) => formatMoney(profitLoss),
  profitLossPercent: ({ profitLossPercent }) => formatPercent(profitLossPercent),
  fxImpact: ({ fxImpact }) => formatMoney(fxImpact),
  positions: ({ positions }) => positions,
};

const { group: groupName, ...figures } = groupColumns;
const instrumentColumns: Columns<PortfolioGroup> = {
  group: groupName ?? (() => undefined),
  name: ({ name }) => name,
  ...figures,
};

const countryColumns: Columns<PortfolioGroup> = {
  group: groupName ?? (() => undefined),
  name: (row) => nameCountry(row.group),
  ...figures,
};

const columnsBy: { readonly [By in PortfolioBy]?: Columns<PortfolioGroup> } = {
  instrument: instrumentColumns,
  country: countryColumns,
};

const endColumns: Columns<PortfolioGroup> = {
  ticker: ({ group }) => group,
  name: ({ name }) => name,
  profitLoss: ({ profitLoss }) => formatMoney(profitLoss),
  profitLossPercent: ({ profitLossPercent }) => formatPercent(profitLossPercent),
};

/** The rows are in the order of their values, so the ends of another order would be missed. */
const formatEnds = ({ winners, losers }: Portfolio['ends']) => ({
  ...(winners.length > 0 ? { winners: toTable(winners, endColumns) } : {}),
  ...(losers.length > 0 ? { losers: toTable(losers, endColumns) } : {}),
});

export const analyzePortfolioTool = defineTool({
  name: 'analyze_portfolio',
  title: 'Portfolio analysis',
  toolset: 'analytics',
  view: 'allocation',
  effect: 'reads',
  endpoints: [endpoints.listPositions, endpoints.getAccountSummary, endpoints.listInstruments],
  description:
    'Allocation (asset mix), diversification, concentration: holdings by company (also inside funds), country, currency, sector (industry), type; exposure, percentages.',
  searchHint:
    'asset allocation, how am split by country, how diversified am, exposure, am too heavy in tech, concentration, largest biggest holdings in percent, how much is in dollars, stocks vs ETFs split, which companies are inside my funds, do my funds overlap, sector, how much of my portfolio is in it, breakdown, break down by country, region, currency, industry, spread, balance, how risky, too much in one share, in the US, weights, percentage of my portfolio, what share, top holdings, how much tech do have, stocks and bonds, currency risk, hedged, analyse, analysis, how much of my money is in America, USA, UK, Europe, China, emerging markets, Asia, pie chart of my investments, all my eggs in one basket, what is my asset mix, mix of shares, asset mix?, chart, pie chart, what percentage is each share, risk, how safe, breakdown by industry, by sector, which countries, too concentrated, overexposed, geographic, geography, tech stocks, banks, oil, energy, ETF, single stock, biggest position, weighting, distribution, composition, how is my portfolio made up, what is in my portfolio, pounds, euros, share of, proportion, how spread out, balanced, invested in, see through my funds, diversified',
  alwaysLoad: true,
  input: z.strictObject({
    by: z
      .enum(
        ['instrument', 'currency', 'country', 'type', 'company', 'sector'],
        'must be instrument, currency, country, type, company or sector',
      )
      .default('instrument')
      .meta({ description: 'Breakdown' }),
    top: integer({ min: 1, max: maxGroups }, `1 to ${maxGroups}; others combined`).optional(),
    cursor: cursor(),
  }),
  output: () => ({
    ...listOutput(),
    ...table([groupColumns, instrumentColumns, lookThroughColumns], { positions: z.number() }),
    currency: text(),
    cash: amount(),
    totalValue: amount(),
    holdingsValue: amount(),
    cost: amount(),
    profitLoss: amount(),
    fxImpact: amount(),
    concentration: group({
      herfindahl: amount(),
      effectiveNumber: amount(),
      largestWeightPercent: amount(),
      largest: text(),
    }),
    weightsOf: text(),
    winners: group(table(endColumns)),
    losers: group(table(endColumns)),
    countryOf: text(),
    groups: count(),
    coveredPercent: amount(),
    lists: texts(),
    withoutList: texts(),
    next: text(),
    checks: checksOutput(),
  }),
  run: async (args, call, deps: HistoryDeps) => {
    const inside = lookThroughBys.find((by) => by === args.by);
    const [positions, summary] = await Promise.all([
      deps.broker.call(endpoints.listPositions, {}, call.context()),
      deps.broker.call(endpoints.getAccountSummary, {}, call.context()),
    ]);
    const lists = inside ? await deps.marketFiles.funds(listIsins(positions.data)) : new Map();
    // Without a list a country is that of the registration, with all figures of a group.
    const isInside = inside !== undefined && (inside !== 'country' || lists.size > 0);
    const getType = args.by === 'type' || isInside ? await readTypes(call, deps) : () => undefined;
    const by = args.by === 'company' || args.by === 'sector' ? 'instrument' : args.by;
    const portfolio = analyzePortfolio(positions.data, summary.data, { by, top: args.top, getType });
    const seen = isInside
      ? lookThrough(toHoldings(positions.data, summary.data.currency).holdings, lists, inside, (ticker) =>
          isFundType(getType(ticker)),
        )
      : undefined;
    const { concentration, unknown } = portfolio;
    return {
      asOf: Math.min(positions.answeredAt, summary.answeredAt),
      fields: {
        currency: portfolio.currency,
        cash: formatMoney(portfolio.cash),
        totalValue: formatMoney(portfolio.totalValue),
        holdingsValue: formatMoney(portfolio.holdingsValue),
        cost: formatMoney(portfolio.cost),
        profitLoss: formatMoney(portfolio.profitLoss),
        fxImpact: formatMoney(portfolio.fxImpact),
        concentration: concentration && {
          herfindahl: formatRatio(concentration.herfindahl),
          effectiveNumber: formatPercent(concentration.effectiveNumber),
          largestWeightPercent: formatPercent(concentration.largestWeightPercent),
          largest: concentration.largest,
        },
        weightsOf: 'holdingsValue',
        complete: unknown.length === 0,
        ...(args.by === 'country' ? { countryOf: seen ? 'what the funds hold' : 'registration (ISIN)' } : {}),
        ...(seen ? formatLookThrough(seen, deps) : {}),
        ...(args.by === 'instrument' ? formatEnds(portfolio.ends) : {}),
        ...buildNote(seen ? 'instrument' : by, unknown, portfolio.groups),
        checks: formatChecks(portfolio.checks),
      },
      list: seen
        ? paginate(seen.groups.slice(0, args.top ?? maxGroups), lookThroughColumns, args)
        : paginate(portfolio.groups, columnsBy[by] ?? groupColumns, args),
    };
  },
});

const lookThroughBys = ['company', 'country', 'sector'] as const satisfies readonly LookThroughBy[];

const listIsins = (positions: readonly Position[]): readonly string[] =>
  positions.flatMap(({ instrument }) => instrument?.isin ?? []);

const isFundType = (type: string | undefined): boolean => type === 'ETF' || type === 'FUND';

const lookThroughColumns: Columns<LookThroughGroup> = {
  group: ({ group }) => group,
  name: ({ group, name }) => name ?? nameCountry(group),
  value: ({ value }) => formatMoney(value),
  weightPercent: ({ weightPercent }) => formatPercent(weightPercent),
  positions: ({ positions }) => positions,
};

/** What the lists say, and what they do not. */
const formatLookThrough = (seen: LookThrough, { config }: HistoryDeps) => ({
  groups: seen.groups.length,
  coveredPercent: formatPercent(seen.coveredPercent),
  lists: seen.lists.map(({ ticker, listedPercent }) => `${ticker}: ${formatPercent(listedPercent)} %`),
  ...(seen.without.length > 0
    ? {
        withoutList: seen.without,
        next: `What these funds hold is not known. The user can save what a fund house publishes as ${join(config.configDir, 'funds', 'ISIN.csv')} (name, isin, weight, country, sector).`,
      }
    : {}),
});

async function readTypes(call: ToolCall, deps: HistoryDeps): Promise<(ticker: string) => string | undefined> {
  const { byTicker } = await deps.directory.instruments(call.context());
  return (ticker) => byTicker(ticker)?.type;
}

/** A fund that trades in pounds can hold shares in dollars, and cash is in no group. */
const exposureNote =
  'The currency of a group is the one in which its instruments trade, not the currency of what a fund holds; cash is in no group.';

const countryNote =
  'A country is where the security is registered. A fund counts there (often Ireland or Luxembourg), not in the countries of what it holds.';

/** Trades in pence (GBX) and in pounds (GBP) are separate groups of the same currency. */
const penceNote = 'GBX is pence: the groups GBP and GBX are the same currency.';

function buildNote(by: PortfolioBy, unknown: readonly string[], groups: readonly PortfolioGroup[]): { note?: string } {
  const names = new Set(groups.map(({ group }) => group));
  const notes = [
    ...(unknown.length > 0 ? [describeUnknown(unknown)] : []),
    ...(by === 'currency' ? [exposureNote] : []),
    ...(by === 'country' ? [countryNote] : []),
    ...(names.has('GBP') && names.has('GBX') ? [penceNote] : []),
  ];
  return notes.length > 0 ? { note: notes.join(' ') } : {};
}

function describeUnknown(unknown: readonly string[]): string {
  const more = unknown.length - maxNotes;
  return `Figures that depend on these are omitted: ${unknown.slice(0, maxNotes).join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
}
