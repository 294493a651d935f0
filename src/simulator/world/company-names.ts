/** Invented names, made of syllables, so that none is a real company. */

import { hashNumbers } from '../random.ts';

const starts = 'Vel Tor Quin Bram Sel Dra Mor Fen Hal Kes Lor Nim Or Pel Ryv Tam Ulv Wex Yar Zel Cor Bel Ard Esk'.split(
  ' ',
);
const middles = 'a e i o u ar en il or an eth ov ul ina ero'.split(' ');
const ends = 'quor vane thwick dren mond lath sten bry gant wold ric phon dyne mar tosk vik lune rant shaw dor'.split(
  ' ',
);
const trades = (
  'Logistics Foundry Robotics Biologics Materials Software Networks Energy Foods Capital Minerals Optics Marine ' +
  'Textiles Health Semiconductors Packaging Instruments Media Utilities Chemicals Aerospace Homes Retail Water ' +
  'Insurance Motors Gaming Diagnostics Timber'
).split(' ');
const houses = 'Brindlemoor Oakhaven Tarnwick Ellerby Quillon Sandbourne Verrowe Hartgate'.split(' ');
const themes = (
  'Global Equity|Europe Dividend|Emerging Leaders|Small Companies|Government Bond|Clean Water|Digital Security|' +
  'Healthcare Innovation|Asia Pacific|Corporate Bond|Commodity Basket|Property Yield|Robotics|World Value|Quality Income|' +
  'Short Duration|Momentum|Low Volatility'
).split('|');
const classes = ['Acc', 'Dist', 'Hedged Acc', 'Hedged Dist'];

const suffixes: Readonly<Record<string, string>> = {
  US: 'Inc',
  GB: 'plc',
  DE: 'AG',
  FR: 'SA',
  NL: 'NV',
  BE: 'NV',
  PT: 'SA',
  ES: 'SA',
  CH: 'AG',
  SE: 'AB',
  CA: 'Corp',
  HK: 'Holdings',
  JP: 'KK',
};

const of = (list: readonly string[], hash: number) => list[hash % list.length] ?? '';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function companyName(index: number, seed: number, country: string): string {
  const a = hashNumbers(seed, index, 1);
  const b = hashNumbers(seed, index, 2);
  const root = capital(of(starts, a) + of(middles, a >>> 8) + of(ends, a >>> 16));
  return `${root} ${of(trades, b)} ${suffixes[country] ?? 'Group'}`;
}

export function fundName(index: number, seed: number): string {
  const a = hashNumbers(seed, index, 3);
  return `${of(houses, a)} ${of(themes, a >>> 5)} ${(hashNumbers(seed, index, 4) % 89) + 10} ETF (${of(classes, a >>> 13)})`;
}

const firstLetters = 'QXZVKJY';
const otherLetters = 'QWRTPSDFGHJKLZXCVBNMAEU';

export const lastSymbol = 84_999;

/** Returns a symbol of four letters, different for each index up to the last. */
export function symbolAt(index: number, seed: number): string {
  const size = firstLetters.length * otherLetters.length ** 3;
  // A step without a common divisor with the size visits each symbol once.
  let rest = ((index % size) * 30_011 + (seed % 997) * 131) % size;
  let text = firstLetters.charAt(rest % firstLetters.length);
  rest = Math.floor(rest / firstLetters.length);
  for (let place = 0; place < 3; place++) {
    text += otherLetters.charAt(rest % otherLetters.length);
    rest = Math.floor(rest / otherLetters.length);
  }
  return text;
}

const base36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns an ISIN with a valid check digit, made from a number. */
export function buildIsin(country: string, number: number): string {
  let rest = number;
  let body = '';
  for (let place = 0; place < 9; place++) {
    body = base36.charAt(rest % (place < 6 ? 10 : 36)) + body;
    rest = Math.floor(rest / (place < 6 ? 10 : 36));
  }
  const head = country + body;
  let digits = '';
  for (const letter of head) digits += String(base36.indexOf(letter));
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return head + String((10 - (sum % 10)) % 10);
}
