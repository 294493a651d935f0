/**
 * Writes JSON with exact digits. Big becomes a number unchanged, bigint an id, Date a date-time; a string stays a
 * string and undefined is left out, unless a quirk changes that.
 */
import Big from 'big.js';
import { hashNumbers } from '../random.ts';
import type { Quirks } from '../testing/quirks.ts';

const hugeIdOffset = 36_028_797_018_963_969n;

/** An id as `hugeIds` writes it: odd and over 2^54, so that no double can represent it. */
const toHugeId = (id: bigint): bigint => id * 2n + hugeIdOffset;

/** Returns the original id of either form. */
export const toPlainId = (id: bigint): bigint => (id > hugeIdOffset ? (id - hugeIdOffset) / 2n : id);

type Form = Pick<Quirks, 'nullFields' | 'longNumbers' | 'hugeIds' | 'mixedOffsets'>;

const neverChanging = new WeakMap<readonly unknown[], Map<string, string>>();

/** Marks a long list that never changes, so that it is written once in each form. Returns the list. */
export function keepText<List extends readonly unknown[]>(list: List): List {
  neverChanging.set(list, new Map());
  return list;
}

function writeList(list: readonly unknown[], form: Form): string {
  const write = () => `[${list.map((item) => writeJson(item, form)).join(',')}]`;
  const texts = neverChanging.get(list);
  if (!texts) return write();
  const formName = [form.nullFields, form.longNumbers, form.hugeIds, form.mixedOffsets].join();
  const text = texts.get(formName) ?? write();
  texts.set(formName, text);
  return text;
}

export function writeJson(value: unknown, form: Form): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return String(form.hugeIds ? toHugeId(value) : value);
  if (value instanceof Big) return writeNumber(value, form);
  if (value instanceof Date) return `"${writeTime(value, form)}"`;
  if (Array.isArray(value)) return writeList(value, form);
  if (typeof value === 'object') {
    const fields: string[] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined && !form.nullFields) continue;
      fields.push(`${JSON.stringify(key)}:${writeJson(inner, form)}`);
    }
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value);
}

function writeNumber(value: Big, form: Form): string {
  const text = value.toFixed();
  if (!form.longNumbers) return text;
  if (value.eq(0)) return '0E-10';
  return (text.split('.')[1]?.length ?? 0) < 10 ? value.toFixed(10) : text;
}

function writeTime(value: Date, form: Form): string {
  const hours = form.mixedOffsets ? ([0, 2, 3][hashNumbers(Math.floor(value.getTime() / 1000)) % 3] ?? 0) : 0;
  if (hours === 0) return value.toISOString();
  return new Date(value.getTime() + hours * 3_600_000).toISOString().replace('Z', `+0${hours}:00`);
}
