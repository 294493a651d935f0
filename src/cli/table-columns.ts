/** What the columns of a result mean to a person: which matter most, and in which currency their amounts are. */

/** Headers of columns that a narrow terminal leaves out first, from the first on: ids and technical facts. */
const leastImportant = [
  'as of',
  'short name',
  'isin',
  'fill type',
  'matched',
  'price from',
  'extended hours',
  'max open quantity',
  'quantity decimals',
  'quantity available for trading',
  'time in force',
  'time validity',
  'created at',
  'order id',
  'id',
  'average price paid',
  'gross amount per share',
  'total cost',
  'fx impact',
  'type',
];

/** Headers of columns that stay longest, from the last that goes on: what the row is about, and its amounts. */
const mostImportant = [
  'ticker',
  'amount',
  'gain',
  'side',
  'quantity',
  'price',
  'current price',
  'limit price',
  'stop price',
  'net value',
  'current value',
  'value',
  'unrealized profit loss',
  'profit loss',
  'proceeds',
  'cost',
  'paid on',
  'filled at',
  'sold on',
  'date time',
  'action',
  'total',
  'no. of shares',
  'time',
  'status',
  'name',
];

/** Returns the header that a table leaves out next. Between the known ones, the last column goes first. */
export function findLeastImportant(headers: readonly string[]): string | undefined {
  const find = (wanted: string | undefined) => headers.find((header) => header.toLowerCase() === wanted);
  const isThere = (header: string) => find(header) !== undefined;
  const least = find(leastImportant.find(isThere));
  const unranked = headers.findLast((header) => !mostImportant.includes(header.toLowerCase()));
  return least ?? unranked ?? find(mostImportant.findLast(isThere));
}

/** The fields of money whose currency a column has, by the name of that column. */
const amountsOf: Readonly<Record<string, readonly string[]>> = {
  tickerCurrency: ['grossAmountPerShare'],
  priceCurrency: ['limitPrice', 'stopPrice', 'lastKnownPrice', 'price', 'priceNow'],
  accountCurrency: ['netValue', 'realisedProfitLoss'],
  currency: ['amount', 'price', 'averagePricePaid', 'currentPrice', 'proceeds', 'cost', 'gain', 'gains', 'losses'],
};

interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Moves the currencies of a table into the cells of their amounts, so that no narrow table shows a bare amount. */
export function joinCurrencies({ names, rows }: Table): Table {
  // A report has the currency of the column Total in the column Currency (Total).
  const currencyAt = new Map(
    names.flatMap((name, at) =>
      names.includes(`Currency (${name})`) ? [[at, names.indexOf(`Currency (${name})`)]] : [],
    ),
  );
  for (const [column, amounts] of Object.entries(amountsOf))
    for (const amount of amounts)
      if (names.includes(column) && names.includes(amount))
        currencyAt.set(names.indexOf(amount), names.indexOf(column));
  const joined = new Set(currencyAt.values());
  const keep = <Cell>(cells: readonly Cell[]) => cells.filter((_, at) => !joined.has(at));
  return {
    names: keep(names),
    rows: rows.map((row) =>
      keep(
        row.map((cell, at) => {
          const currency = row[currencyAt.get(at) ?? -1];
          return isAmount(cell) && typeof currency === 'string' ? `${cell} ${currency}` : cell;
        }),
      ),
    ),
  };
}

const isAmount = (cell: unknown): boolean => typeof cell === 'number' || (typeof cell === 'string' && cell !== '');
