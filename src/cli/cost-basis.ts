/** Enters what shares cost that came without a purchase, into config.json. */
import { UsageError } from '../core/errors.ts';
import { configDir } from '../core/settings/paths.ts';
import { type CostEntryText, isSameRow, parseCostEntries, parseCostEntry } from '../core/settings/tax-entries.ts';
import { didYouMean } from '../core/text/suggestions.ts';
import { configFile, readCostBasis, writeCostBasis } from '../setup/hosts/config-file.ts';
import type { Command, FlagValues } from './command.ts';
import { isJson, printJson } from './output.ts';

const actions = ['list', 'set', 'remove'] as const;

/** `cost-basis list`, `set` or `remove`. Reads no key, opens no store and sends no request. */
export const costBasisCommand: Command = async ({ words, flags }, terminal) => {
  const [word = 'list', ...more] = words;
  const action = actions.find((name) => name === word);
  if (!action) throw new UsageError(`cost-basis ${word} is not a command; ${didYouMean(word, actions)}.`);
  if (more.length > 0) throw new UsageError(`cost-basis ${action} takes flags only, but got "${more[0]}".`);
  const folder = configDir(terminal);
  const entries = readEntries(folder);
  if (action === 'list') {
    if (isJson(flags)) {
      printJson(terminal, { entries });
      return 0;
    }
    for (const entry of entries) terminal.print(describe(entry));
    if (entries.length === 0)
      terminal.print(`${configFile(folder)} has no cost of shares that came without a purchase.`);
    return 0;
  }
  const row = readRow(flags);
  const others = entries.filter((entry) => !isSameRow(entry, row));
  if (action === 'remove') {
    if (others.length === entries.length) {
      terminal.warn('brokerage-mcp: there is no entry for this row; cost-basis list shows all.');
      return 1;
    }
    writeCostBasis(folder, others);
    if (isJson(flags)) printJson(terminal, { removed: row });
    else terminal.print('Removed.');
    return 0;
  }
  const entry = readEntry(row, flags);
  writeCostBasis(folder, [...others, entry]);
  if (isJson(flags)) printJson(terminal, entry);
  else terminal.print(describe(entry));
  return 0;
};

/** The entries of the file, which are checked so that none is lost or misread. */
function readEntries(folder: string): readonly CostEntryText[] {
  const value = readCostBasis(folder);
  parseCostEntries(value, configFile(folder));
  return (value ?? []) as readonly CostEntryText[];
}

/** The flags that identify a row. */
function readRow(flags: FlagValues): CostEntryText {
  const { fill, ticker, at, env, account } = flags;
  const place = fill === undefined ? { ...(ticker && { ticker }), ...(at && { at }) } : { fillId: fill };
  const row = { ...place, ...(env !== undefined && { environment: env }), ...(account !== undefined && { account }) };
  // The cost and the currency are not needed to find a row.
  parseCostEntry({ ...row, cost: '0', currency: 'GBP' }, 'cost-basis (--fill ID, or --ticker TICKER --at TIME)');
  return row as CostEntryText;
}

function readEntry(row: CostEntryText, { acquired, cost, currency, parent, part }: FlagValues): CostEntryText {
  if (acquired === undefined && parent === undefined && part !== 'true')
    throw new UsageError(
      'cost-basis set needs --acquired DATE, or --parent TICKER for the shares of a spin-off, or --part for money that came without a sale.',
    );
  const entry = {
    ...row,
    ...(acquired !== undefined && { acquiredOn: acquired }),
    cost: cost ?? '',
    currency: currency ?? '',
    ...(parent !== undefined && { parent }),
  };
  parseCostEntry(entry, 'cost-basis set');
  return entry;
}

const describe = ({ fillId, ticker, at, acquiredOn, cost, currency, parent, ...scope }: CostEntryText): string =>
  [
    fillId === undefined ? `${ticker} at ${at}` : `fill ${fillId}`,
    `${cost} ${currency}`,
    ...(acquiredOn === undefined ? [] : [`acquired on ${acquiredOn}`]),
    ...(parent === undefined ? [] : [`from the cost of ${parent}`]),
    ...(scope.environment === undefined ? [] : [`only in ${scope.environment}`]),
    ...(scope.account === undefined ? [] : [`only in account ${scope.account}`]),
  ].join(', ');
