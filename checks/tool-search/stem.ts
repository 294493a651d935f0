/** The stem of an English word by the Porter2 rules, as the search of one host compares words. */

const vowel = /[aeiouy]/;
const invariant = new Set(['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes']);
const afterPlural = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed']);
const special: Readonly<Record<string, string>> = {
  skis: 'ski',
  skies: 'sky',
  dying: 'die',
  lying: 'lie',
  tying: 'tie',
  idly: 'idl',
  gently: 'gentl',
  ugly: 'ugli',
  early: 'earli',
  only: 'onli',
  singly: 'singl',
};

/** An ending, what takes its place, and what must stand before it. Of several that fit, the longest counts. */
type Rule = readonly [ending: string, replacement: string, before?: RegExp];

const rules = (text: string): Rule[] =>
  text.split(' ').map((pair) => {
    const [ending = '', replacement = ''] = pair.split('>');
    return [ending, replacement];
  });

const second: readonly Rule[] = [
  ...rules(
    'tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize ational>ate ation>ate ator>ate alism>al aliti>al alli>al fulness>ful ousli>ous ousness>ous iveness>ive iviti>ive biliti>ble bli>ble fulli>ful lessli>less',
  ),
  ['ogi', 'og', /l$/],
  ['li', '', /[cdeghkmnrt]$/],
];
const third = rules('tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness>');
const fourth: readonly Rule[] = [
  ...rules('al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ism> ate> iti> ous> ive> ize>'),
  ['ion', '', /[st]$/],
];

/** Where the part behind the first consonant after a vowel begins. */
const regionFrom = (word: string, from: number): number => {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found ? from + found.index + 2 : word.length;
};

const endsShort = (word: string): boolean => /(^|[^aeiouy])[aeiouy][^aeiouwxyY]$|^[aeiouy][^aeiouy]$/.test(word);

export function stem(text: string): string {
  const bare = text.replace(/^'/, '');
  if (bare.length <= 2 || invariant.has(bare)) return bare;
  const exception = special[bare];
  if (exception !== undefined) return exception;
  let word = bare.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const prefix = /^(gener|commun|arsen)/.exec(word)?.[0];
  const one = prefix ? prefix.length : regionFrom(word, 0);
  const two = regionFrom(word, one);

  word = word.replace(/'s'?$|'$/, '');
  word = withoutPlural(word);
  if (afterPlural.has(word)) return word;
  word = withoutPast(word, one);
  word = word.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  word = apply(word, second, one);
  word = word.endsWith('ative') && word.length - 5 >= two ? word.slice(0, -5) : apply(word, third, one);
  word = apply(word, fourth, two);
  const base = word.slice(0, -1);
  const isGone = word.endsWith('e')
    ? base.length >= two || (base.length >= one && !endsShort(base))
    : word.endsWith('ll') && base.length >= two;
  return (isGone ? base : word).toLowerCase();
}

function apply(word: string, list: readonly Rule[], region: number): string {
  const [best] = list.filter(([ending]) => word.endsWith(ending)).toSorted(([a], [b]) => b.length - a.length);
  if (!best) return word;
  const [ending, replacement, before] = best;
  const base = word.slice(0, word.length - ending.length);
  return base.length >= region && (before?.test(base) ?? true) ? base + replacement : word;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(us|ss)$/.test(word)) return word;
  return /s$/.test(word) && vowel.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutPast(word: string, region: number): string {
  const ending = /(eedly|eed)$/.exec(word)?.[0];
  if (ending) return word.length - ending.length >= region ? `${word.slice(0, -ending.length)}ee` : word;
  const base = word.replace(/(ingly|edly|ing|ed)$/, '');
  if (base === word || !vowel.test(base)) return word;
  if (/(at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return base.slice(0, -1);
  return endsShort(base) && base.length <= region ? `${base}e` : base;
}
