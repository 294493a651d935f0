/** Accounts that hold what makes the rules hard: one seed gives one account. */
import type { Random } from '../campaign/random.ts';
import { type Account, type AccountRow, type FundIncome, nameListing, type OriginalCost } from './account-row.ts';
import { add, type Fraction, isPositive, multiply, subtract, toDecimalText, toFraction, zero } from './fraction.ts';
import { findDay } from './reference-section-104.ts';

const secondMs = 1000;
const hourMs = 3600 * secondMs;
const dayMs = 24 * hourMs;
/** Moments at which a day of London begins, and changes of summer time. */
const edges = ['2022-03-27T00:59:59Z', '2022-06-30T22:59:59Z', '2022-06-30T23:00:00Z', '2023-04-05T22:59:59Z'];
/** All of them give decimals that end. */
const ratios = ['2', '3', '10', '1.5', '0.5', '0.2', '0.1'];

class AccountWriter {
  readonly rows: AccountRow[] = [];
  readonly originalCosts = new Map<bigint, OriginalCost>();
  readonly random: Random;
  readonly #held = new Map<string, Fraction>();
  #id = 1_000n;
  at = Date.parse('2022-01-03T09:00:00Z');

  constructor(random: Random) {
    this.random = random;
  }

  getHeld(listing: Listing): Fraction {
    return this.#held.get(nameListing(listing)) ?? zero;
  }

  write(row: Listing & Pick<AccountRow, 'side' | 'quantity'> & Partial<AccountRow>): bigint {
    this.#id += BigInt(1 + this.random.below(3));
    this.rows.push({ id: this.#id, at: this.at, type: 'TRADE', value: undefined, charges: [], ...row });
    const change = toFraction(row.quantity);
    const before = this.getHeld(row);
    this.#held.set(nameListing(row), row.side === 'SELL' ? subtract(before, change) : add(before, change));
    return this.#id;
  }

  /** Half of the trades follow within days, and some within the same second. */
  goOn(): void {
    const { random } = this;
    const kind = random.below(10);
    if (kind === 0) return;
    if (kind === 1) this.at += secondMs * (1 + random.below(3));
    else if (kind < 6) this.at += secondMs * random.below(20 * 86_400);
    else if (kind < 9) this.at += hourMs * random.below(24 * 45);
    else this.at = Math.max(this.at, Date.parse(random.pick(edges)));
  }

  /** To a day without a trade before or after, because no rule says which of a day came first. */
  goToOwnDay(): void {
    this.at = (findDay(this.at) + 1) * dayMs + 12 * hourMs;
  }
  leaveOwnDay(): void {
    this.at += dayMs;
  }

  randomQuantity(): string {
    const { random } = this;
    return toDecimalText([BigInt(1 + random.below(10 ** (3 + random.below(5)))), 10n ** BigInt(random.below(5))], 4);
  }
  randomPence(): string {
    return toDecimalText([BigInt(1 + this.random.below(900_000)), 100n], 2);
  }
  randomCharges(): string[] {
    const { random } = this;
    if (random.below(3) > 0) return [];
    const pence = () => toDecimalText([BigInt(1 + random.below(90)), 100n], 2);
    const charge = `-${pence()}`;
    // A charge of the wrong amount is refunded and charged again.
    return random.below(4) === 0 ? [charge, charge.slice(1), `-${pence()}`] : [charge];
  }
}

interface Listing {
  readonly ticker: string;
  readonly isin: string;
  readonly account?: string;
}

/** The rows of all accounts that are named are one history of one person. */
export function createAccount(random: Random, accounts: readonly string[] = []): Account {
  const writer = new AccountWriter(random);
  const classes = Array.from({ length: 1 + random.below(3) }, (_, number) =>
    Array.from({ length: 1 + random.below(2) }, (_, letter) => ({
      ticker: `T${number}${'ab'[letter]}`,
      isin: `IE000000000${number}`,
    })),
  ).map((listings) => listInAccounts(listings, accounts));
  // A history that begins too late has no splits: their ratio would be unknown.
  const isCut = random.below(5) === 0;
  for (let count = 12 + random.below(50); count > 0; count--) {
    writer.goOn();
    const listings = random.pick(classes);
    const kind = random.below(25);
    if (kind === 0 && !isCut) writeSplit(writer, listings);
    else if (kind === 1) writeAddition(writer, random.pick(listings));
    else if (kind === 2) writeTransfer(writer, random.pick(listings));
    else if (kind === 4) writeReturn(writer, random.pick(listings));
    else if (kind > 21) writeExchange(writer, classes);
    else if (kind > 19) writeSaleDay(writer, random.pick(listings));
    else if (kind === 3) writeRemoval(writer, random.pick(listings));
    else writeTrade(writer, random.pick(listings), isCut);
  }
  return { rows: writer.rows, originalCosts: writer.originalCosts, fundIncome: createFundIncome(writer) };
}

const listInAccounts = (listings: readonly Listing[], accounts: readonly string[]): readonly Listing[] =>
  accounts.length === 0
    ? listings
    : accounts.flatMap((account) => listings.map((listing) => ({ ...listing, account })));

function writeTrade(writer: AccountWriter, listing: Listing, isCut: boolean): void {
  const { random } = writer;
  const held = writer.getHeld(listing);
  const common = { ...listing, value: writer.randomPence(), charges: writer.randomCharges() };
  if (random.below(2) === 0) {
    writer.write({ ...common, side: 'BUY', quantity: writer.randomQuantity() });
    return;
  }
  const part = toDecimalText(multiply(held, [BigInt(1 + random.below(4)), 4n]), 6);
  const quantity = isCut && random.below(3) === 0 ? writer.randomQuantity() : part;
  if (isPositive(toFraction(quantity))) writer.write({ ...common, side: 'SELL', quantity });
}

/** One split for all listings, an hour apart, and then none for a month. */
function writeSplit(writer: AccountWriter, listings: readonly Listing[]): void {
  const { random } = writer;
  const held = listings.filter((listing) => isPositive(writer.getHeld(listing)));
  if (held.length === 0) return;
  const ratio = toFraction(random.pick(ratios));
  for (const listing of held) {
    const before = writer.getHeld(listing);
    const after = multiply(before, ratio);
    const common = { ...listing, type: 'STOCK_SPLIT', value: '120.00' };
    const close = () => writer.write({ ...common, side: 'SELL', quantity: toDecimalText(before, 16) });
    const open = () => writer.write({ ...common, side: 'BUY', quantity: toDecimalText(after, 16) });
    const form = random.below(3);
    if (form === 0) writer.write({ ...common, side: 'BUY', quantity: toDecimalText(subtract(after, before), 16) });
    else {
      const [first, second] = form === 1 ? [close, open] : [open, close];
      first();
      writer.at += secondMs * random.below(2);
      second();
    }
    writer.at += hourMs;
  }
  writer.at += 8 * dayMs;
}

/** A rights issue, or shares for nothing. */
function writeAddition(writer: AccountWriter, listing: Listing): void {
  if (!isPositive(writer.getHeld(listing))) return;
  writer.goToOwnDay();
  const isRights = writer.random.below(2) === 0;
  writer.write({
    ...listing,
    side: 'BUY',
    quantity: writer.randomQuantity(),
    type: isRights ? 'EQUITY_RIGHTS' : 'STOCK_DIVIDENDS',
    value: isRights ? writer.randomPence() : writer.random.pick([undefined, '0']),
  });
  writer.leaveOwnDay();
}

function writeReturn(writer: AccountWriter, listing: Listing): void {
  if (!isPositive(writer.getHeld(listing))) return;
  writer.goToOwnDay();
  writer.write({ ...listing, side: 'BUY', type: 'RETURN_OF_CAPITAL', quantity: '0', value: writer.randomPence() });
  writer.leaveOwnDay();
}

/** Sales of a day, with capital that is returned before, between and after them. */
function writeSaleDay(writer: AccountWriter, listing: Listing): void {
  const { random } = writer;
  const held = writer.getHeld(listing);
  if (!isPositive(held)) return;
  writer.goToOwnDay();
  writer.at -= 6 * hourMs;
  const parts = random.pick<readonly [bigint, bigint][]>([
    [[1n, 1n]],
    [
      [1n, 4n],
      [3n, 4n],
    ],
    [
      [1n, 3n],
      [1n, 7n],
    ],
  ]);
  const writeCapital = () => {
    if (random.below(3) === 0) return;
    const value = random.below(2) === 0 ? writer.randomPence() : toDecimalText([BigInt(random.below(9000)), 100n], 2);
    writer.write({ ...listing, side: 'BUY', type: 'RETURN_OF_CAPITAL', quantity: '0', value });
    writer.at += hourMs;
  };
  for (const part of parts) {
    writeCapital();
    const quantity = toDecimalText(multiply(held, part), 6);
    if (!isPositive(toFraction(quantity))) continue;
    writer.write({ ...listing, side: 'SELL', quantity, value: writer.randomPence(), charges: writer.randomCharges() });
    writer.at += hourMs;
  }
  writeCapital();
  if (random.below(2) === 0)
    writer.write({ ...listing, side: 'BUY', quantity: writer.randomQuantity(), value: writer.randomPence() });
  writer.leaveOwnDay();
}

/**
 * Shares of one class for those of a later one, so that no cost goes round in a circle; or for another listing of the
 * same class. Sometimes two tickers come, and no row says whose cost belongs to them.
 */
function writeExchange(writer: AccountWriter, classes: readonly (readonly Listing[])[]): void {
  const { random } = writer;
  const from = random.below(classes.length);
  const old = random.pick(classes[from] ?? []);
  const others = classes
    .slice(from)
    .flat()
    .filter(({ ticker, account }) => ticker !== old.ticker && account === old.account);
  const held = writer.getHeld(old);
  const quantity = toDecimalText(random.below(3) === 0 ? multiply(held, [1n, 3n]) : held, 6);
  if (others.length === 0 || !isPositive(toFraction(quantity))) return;
  const fresh = random.pick(others);
  const isRenamed = fresh.isin === old.isin;
  writer.goToOwnDay();
  const common = { type: 'STOCK_ACQUISITION', value: random.pick([undefined, '0']) };
  const writeOut = () => writer.write({ ...old, ...common, side: 'SELL', quantity });
  const writeIn = () =>
    writer.write({ ...fresh, ...common, side: 'BUY', quantity: isRenamed ? quantity : writer.randomQuantity() });
  const steps = random.below(2) === 0 ? [writeOut, writeIn] : [writeIn, writeOut];
  for (const step of steps) step();
  const more = others.find(({ isin, ticker }) => isin !== old.isin && ticker !== fresh.ticker);
  if (more && !isRenamed && random.below(4) === 0)
    writer.write({ ...more, ...common, side: 'BUY', quantity: writer.randomQuantity() });
  writer.leaveOwnDay();
  writer.at += 8 * dayMs;
}

/** Periods that end on the days of some trades, or between them. */
function createFundIncome({ rows, random }: AccountWriter): FundIncome[] {
  const entries = new Map<string, FundIncome>();
  for (const { isin, at } of rows) {
    if (random.below(20) > 0) continue;
    const periodEnd = new Date((findDay(at) + random.below(3)) * dayMs).toISOString().slice(0, 10);
    entries.set(`${isin} ${periodEnd}`, {
      isin,
      periodEnd,
      perShare: toDecimalText([BigInt(1 + random.below(999)), 1000n], 3),
    });
  }
  return [...entries.values()];
}

function writeTransfer(writer: AccountWriter, listing: Listing): void {
  const { random } = writer;
  writer.goToOwnDay();
  const id = writer.write({
    ...listing,
    side: 'BUY',
    type: 'FOP',
    quantity: writer.randomQuantity(),
    value: random.pick([undefined, '0', '45.00']),
  });
  if (random.below(3) > 0)
    writer.originalCosts.set(id, {
      acquiredAt: writer.at - dayMs * (1 + random.below(60)),
      cost: writer.randomPence(),
    });
  writer.leaveOwnDay();
}

function writeRemoval(writer: AccountWriter, listing: Listing): void {
  const quantity = toDecimalText(multiply(writer.getHeld(listing), [1n, 3n]), 6);
  if (!isPositive(toFraction(quantity))) return;
  writer.goToOwnDay();
  writer.write({ ...listing, side: 'SELL', type: 'FOP', quantity, value: '0' });
  writer.leaveOwnDay();
}
