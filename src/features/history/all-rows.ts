/** All rows of a history that has few, such as dividends and transactions: they are kept as they are. */
import type { Derivation } from './history-port.ts';
import type { RowOf } from './kinds.ts';

type KeptRow = RowOf['dividends'] | RowOf['transactions'];

/** About what a row takes whose instrument is shared. */
const bytesPerRow = 500;

const createReader = <Row extends KeptRow>(): ReturnType<Derivation<Row, readonly Row[]>['start']> => {
  const rows: Row[] = [];
  const instruments = new Map<string, unknown>();
  return {
    add: (part) => {
      for (const row of part) rows.push(shareInstrument(row, instruments));
    },
    finish: () => ({ value: rows.reverse(), bytes: rows.length * bytesPerRow }),
  };
};

/** The rows of one instrument repeat it, with its name. A row without an instrument has none to share. */
function shareInstrument<Row extends KeptRow>(row: Row, instruments: Map<string, unknown>): Row {
  const { instrument } = row as Partial<RowOf['dividends']>;
  const text = JSON.stringify(instrument);
  const known = instruments.get(text);
  if (known !== undefined) return { ...row, instrument: known };
  instruments.set(text, instrument);
  return row;
}

/** Oldest first. */
export const allDividends: Derivation<RowOf['dividends'], readonly RowOf['dividends'][]> = {
  name: 'rows',
  start: createReader,
};

/** Oldest first. */
export const allTransactions: Derivation<RowOf['transactions'], readonly RowOf['transactions'][]> = {
  name: 'rows',
  start: createReader,
};
