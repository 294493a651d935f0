/**
 * Compares the gains of two accounts of one person with the reference, for every question about them: those of all
 * accounts, of which an ISA is left out and taxable ones are matched together, and those of each by its name.
 */
import type { RunTool } from '../../src/core/mcp/run-tool.ts';
import type { AccountKind } from '../../src/core/settings/account-names.ts';
import { createAccountRunner, type RunningAccount } from '../../src/features/accounts/run-on-accounts.ts';
import type { RealisedGains } from '../../src/features/gains/gain-types.ts';
import type { GainsDeps } from '../../src/features/gains/gains-deps.ts';
import { summarizeRealisedGainsTool } from '../../src/features/gains/tools/gains-tool.ts';
import { joinTrades } from '../../src/features/gains/tools/pooled-accounts.ts';
import { type Account, isDividend } from './account-row.ts';
import {
  addTo,
  type Comparison,
  compareFigures,
  computeGains,
  type Figures,
  listIsins,
  nameDisposal,
  readReference,
  readTrades,
  writeGains,
} from './compare.ts';
import { one } from './fraction.ts';
import { groupRows } from './group-rows.ts';

export const accountNames = ['first', 'second'] as const;
export type Kinds = Readonly<Record<(typeof accountNames)[number], AccountKind>>;

/** Half of the pairs are an account beside an ISA, and half are two taxable ones. */
export const kindsOf = (seed: number): Kinds => ({ first: 'invest', second: seed % 2 === 0 ? 'isa' : 'invest' });

const method = 'uk_section_104';

/** `account` has the rows of both, each with its account. */
export async function comparePair(account: Account, kinds: Kinds, askProduct = askRunner): Promise<Comparison> {
  const taxable = accountNames.filter((name) => kinds[name] !== 'isa');
  let figures = 0;
  const differences: string[] = [];
  const rules: string[] = [];
  for (const { asked, of } of [
    { asked: undefined, of: taxable },
    ...accountNames.map((name) => ({ asked: name, of: [name] })),
  ]) {
    const own = selectAccounts(account, of);
    const expected = readReference(own, method);
    if (of.length > 1) nameSellers(own, expected);
    const actual = await askProduct(account, kinds, asked);
    const found = compareFigures(expected, actual);
    figures += found.figures;
    rules.push(...found.rules);
    differences.push(...found.differences.map((line) => `${asked ?? 'all accounts'}: ${line}`));
  }
  return { figures, differences, rules };
}

const selectAccounts = ({ rows, ...rest }: Account, names: readonly string[]): Account => ({
  ...rest,
  rows: rows.filter((row) => names.includes(row.account ?? '')),
});

/** The accounts whose sales of a day are one disposal. */
function nameSellers({ rows }: Account, figures: Figures): void {
  const sales = rows.filter((row) => row.side === 'SELL' && row.type === 'TRADE' && !isDividend(row));
  for (const [name, list] of groupRows(sales, ({ at, ticker, isin }) => nameDisposal(method, at, ticker, isin)))
    if (figures.has(`${name} cost`))
      addTo(figures, `${name} in ${joinSorted(list.map((row) => row.account ?? ''))}`, one);
}

const joinSorted = (names: readonly string[]): string => [...new Set(names)].sort().join(' and ');

/** What the product finds for a question about the account `asked`, or about all. */
export async function askRunner(account: Account, kinds: Kinds, asked: string | undefined): Promise<Figures> {
  const computed: { readonly gains: RealisedGains; readonly isOfSeveral: boolean }[] = [];
  const computeOf =
    (names: readonly string[]): RunTool =>
    async (tool) => {
      if (tool !== summarizeRealisedGainsTool.name) return { isError: true, text: '', body: {} };
      const trades = joinTrades(
        names.map((name) => ({
          of: { config: { account: { name } } } as GainsDeps,
          trades: readTrades(selectAccounts(account, [name]).rows),
        })),
      );
      const gains = computeGains(selectAccounts(account, names), trades, method);
      computed.push({ gains, isOfSeveral: names.length > 1 });
      return { isError: false, text: '', body: { env: 'demo', asOf: new Date(0).toISOString(), complete: true } };
    };
  const toRunning = (name: string, kind: AccountKind): RunningAccount => ({
    ...{ name, kind, run: computeOf([name]), id: async () => name },
    runTogether: (others) => computeOf([name, ...others]),
    read: () => Promise.reject(new Error('No plan is asked for here.')),
  });
  const run = createAccountRunner({
    accounts: [toRunning('first', kinds.first), toRunning('second', kinds.second)],
    tools: [summarizeRealisedGainsTool as never],
    environment: 'demo',
  });
  const { signal } = new AbortController();
  const result = await run(summarizeRealisedGainsTool.name, { method, account: asked }, { signal });
  if (result.isError) throw new Error(result.text);
  const figures: Figures = new Map();
  for (const { gains, isOfSeveral } of computed) {
    for (const [name, figure] of writeGains(gains, method, listIsins(account))) addTo(figures, name, figure);
    if (isOfSeveral) nameDisposals(gains, listIsins(account), figures);
  }
  return figures;
}

function nameDisposals({ disposals }: RealisedGains, isins: ReadonlyMap<string, string>, figures: Figures): void {
  for (const { at, ticker, account = '' } of disposals) {
    const name = nameDisposal(method, at, ticker, isins.get(ticker.split(' + ')[0] ?? '') ?? '');
    addTo(figures, `${name} in ${joinSorted(account.split(' + '))}`, one);
  }
}
