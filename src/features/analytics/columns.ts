/**
 * Columns of many values in little memory: an object per value would take ten times as much. A column grows by adding
 * values at its end.
 */
import Big from 'big.js';

/** A column of numbers. */
export class NumberColumn<Values extends Float64Array | Uint32Array | Uint8Array> {
  values: Values;
  length = 0;
  readonly #create: (length: number) => Values;

  constructor(create: (length: number) => Values) {
    this.#create = create;
    this.values = create(1024);
  }

  add(value: number): void {
    if (this.length === this.values.length) {
      const larger = this.#create(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  get(index: number): number {
    return this.values[index] as number;
  }

  /** Removes the room for values that were not added. */
  trim(): void {
    this.values = this.values.slice(0, this.length) as Values;
  }

  get bytes(): number {
    return this.values.byteLength;
  }
}

const doubles = () => new NumberColumn((length) => new Float64Array(length));
const bytes = () => new NumberColumn((length) => new Uint8Array(length));

/** A column of texts of which there are few different ones. */
export class NameColumn {
  readonly #places = new NumberColumn((length) => new Uint32Array(length));
  readonly #names: (string | undefined)[] = [];
  readonly #known = new Map<string | undefined, number>();

  add(name: string | undefined): void {
    let place = this.#known.get(name);
    if (place === undefined) {
      place = this.#names.push(name) - 1;
      this.#known.set(name, place);
    }
    this.#places.add(place);
  }

  get(index: number): string | undefined {
    return this.#names[this.#places.get(index)];
  }

  trim(): void {
    this.#places.trim();
  }

  get bytes(): number {
    return this.#places.bytes + this.#names.length * 100;
  }
}

const absent = Number.NaN;

/** A column of ids, which are mostly integers as text. */
export class IdColumn {
  readonly #numbers = doubles();
  readonly #others = new Map<number, string>();

  add(id: string | undefined): void {
    const number = id === undefined ? absent : Number(id);
    if (id !== undefined && !(Number.isSafeInteger(number) && String(number) === id))
      this.#others.set(this.#numbers.length, id);
    this.#numbers.add(number);
  }

  get(index: number): string | undefined {
    const number = this.#numbers.get(index);
    return this.#others.get(index) ?? (Number.isNaN(number) ? undefined : String(number));
  }

  trim(): void {
    this.#numbers.trim();
  }

  get bytes(): number {
    return this.#numbers.bytes + this.#others.size * 100;
  }
}

/** Doubles represent integers of this many digits exactly. */
const maxDigits = 15;
const plainDecimal = /^-?\d+(?:\.\d+)?$/;

/** A column of exact decimals: an integer of the last digit, and the number of decimals. */
export class DecimalColumn {
  readonly #units = doubles();
  readonly #decimals = bytes();
  readonly #others = new Map<number, string>();

  /** Throws for a text that is no decimal, as big.js does. */
  add(text: string | undefined): void {
    const isShort = text !== undefined && text.length <= maxDigits && plainDecimal.test(text);
    if (text === undefined || !isShort) {
      if (text !== undefined) this.#others.set(this.#units.length, new Big(text).toFixed());
      this.#units.add(absent);
      this.#decimals.add(0);
      return;
    }
    const point = text.indexOf('.');
    this.#units.add(Number(point < 0 ? text : text.slice(0, point) + text.slice(point + 1)));
    this.#decimals.add(point < 0 ? 0 : text.length - point - 1);
  }

  /** A new number each time; undefined where there is none. */
  get(index: number): Big | undefined {
    const units = this.#units.get(index);
    if (!Number.isNaN(units)) return createBig(units, this.#decimals.get(index));
    const other = this.#others.get(index);
    return other === undefined ? undefined : new Big(other);
  }

  get length(): number {
    return this.#units.length;
  }

  trim(): void {
    this.#units.trim();
    this.#decimals.trim();
  }

  get bytes(): number {
    return this.#units.bytes + this.#decimals.bytes + this.#others.size * 100;
  }
}

const zero = new Big(0);

/** `units` × 10^-decimals. It writes the digits of big.js, whose own parser takes several times as long. */
function createBig(units: number, decimals: number): Big {
  const value = new Big(zero);
  if (units === 0) return value;
  let [rest, last] = [Math.abs(units), decimals];
  while (rest % 10 === 0) {
    rest /= 10;
    last--;
  }
  // An array that grows by push has room for sixteen more.
  const digits = new Array<number>(String(rest).length);
  for (let place = digits.length - 1; place >= 0; place--) {
    digits[place] = rest % 10;
    rest = Math.floor(rest / 10);
  }
  value.c = digits;
  value.e = digits.length - 1 - last;
  value.s = units < 0 ? -1 : 1;
  return value;
}
