/** The return of the account or a holding: the gain first, its rates, and the value over time on its own scale. */

import { describe, expect, test } from 'vitest';
import { type ReturnsModel, readReturns } from '../../../../src/features/views/model/read-returns.ts';
import { drawReturns, thin } from '../../../../src/features/views/render/draw-returns.ts';
import { sumDecimals } from '../../../../src/features/views/render/format-values.ts';

const look = { locale: 'en-GB', timeZone: 'UTC', now: Date.parse('2026-03-16T09:30:00Z') };
const draw = (answer: object) => drawReturns(readReturns({ ...answer }) as ReturnsModel, look).markup;

const days = Array.from({ length: 1200 }, (_, n) => [
  new Date(Date.UTC(2023, 0, 1) + n * 86_400_000).toISOString().slice(0, 10),
  (50_000 + n * 10).toFixed(2),
]);

const answer = {
  env: 'sandbox',
  complete: true,
  currency: 'GBP',
  message: 'From 2023-01-01 to 2026-03-16, the account gained 7504.54 GBP.',
  next: 'Ask for a period.',
  gain: '7504.54',
  gainPercent: '8.50',
  netDeposits: '88296.45',
  moneyIn: '93525.00',
  value: '95800.99',
  moneyWeighted: { annualPercent: '3.47' },
  timeWeighted: { annualPercent: '3.4' },
  values: days,
};

describe('the return of the account', () => {
  test('is its gain, the value now and the rate a year, with the days from which it counts', () => {
    const markup = draw(answer);
    for (const text of [
      '<p class="soft">1 Jan 2023 to 14 Apr 2026</p>',
      'Deposits and withdrawals are part of it: £88,296.45 was paid in, less what was paid out.',
      '<dt>Gain</dt><dd class="gain">+£7,504.54 <small>+8.5%</small></dd>',
      '<dt>Net paid in</dt><dd class="">£88,296.45</dd>',
      '<dt>Yearly return (IRR)</dt><dd class="gain">+3.5%</dd>',
      '<summary>Time-weighted a year, paid in, net paid in</summary>',
      '<dt>Time-weighted a year</dt><dd class="gain">+3.4%</dd>',
      '<dt>Value now</dt><dd class="">£95,800.99</dd>',
    ])
      expect(markup).toContain(text);
    // What made the gain has its sign and its colour, and a fee reduces it.
    const parts = draw({ ...answer, moneyIn: '9.00', realised: '-800.40', interest: '258.02', accountFees: '11.52' });
    for (const text of [
      '<summary>Time-weighted a year, paid in and 4 more</summary>',
      '<dt>Paid in</dt><dd class="">£9.00</dd>',
      '<dt>Realised</dt><dd class="loss">−£800.40</dd>',
      '<dt>Interest</dt><dd class="gain">+£258.02</dd>',
      '<dt>Account fees</dt><dd class="loss">−£11.52</dd>',
    ])
      expect(parts).toContain(text);
    // The sentence repeats the figures, and the next step is for the caller.
    expect(markup).not.toContain(answer.message);
    expect(markup).not.toContain(answer.next);
  });

  test('without a gain is the sentence that says what is known', () => {
    const markup = draw({ ...answer, gain: undefined, gainPercent: undefined });
    expect(markup).toContain(`<p>${answer.message}</p>`);
    expect(markup).toContain('<dl class="main"><div><dt>Value now</dt><dd class="">£95,800.99</dd></div></dl>');
  });

  const unknownDays =
    '<p class="say">No chart: it needs at least two daily values from this period. One is saved each day that you ask about the account here.</p>';

  test.each([
    [{ since: '2026-01-01', until: '2026-03-16' }, '<p class="soft">1 Jan to 16 Mar</p>'],
    [{ since: '2026-01-01' }, '<p class="soft">since 1 Jan</p>'],
    [{ until: '2025-12-31' }, '<p class="soft">until 31 Dec 2025</p>'],
  ])('without values has the days of its question, and says that they are not known: %j', (range, days) => {
    const markup = draw({ ...answer, values: [], range });
    expect(markup).toContain(days);
    expect(markup).toContain(unknownDays);
    expect(draw({ ...answer, range })).toContain('<p class="soft">1 Jan 2023 to 14 Apr 2026</p>');
    expect(draw(answer)).not.toContain(unknownDays);
    // A holding has none.
    expect(draw({ ...answer, values: [], name: 'A' })).not.toContain(unknownDays);
  });

  test('draws the value by day from the first to the last, on a scale that does not begin at zero', () => {
    const [svg = ''] = /<svg viewBox="0 0 680 .*?<\/svg>/s.exec(draw(answer)) ?? [];
    expect(svg.match(/<g data-mark/g)?.length).toBeLessThanOrEqual(26);
    expect(svg).toContain('aria-label="1 Jan 2023: £50,000.00"');
    expect(svg).toContain('aria-label="14 Apr: £61,990.00"');
    for (const text of ['>£50k<', '>£65k<', '>1 Jan 2023<', '>2024<', '>2025<', '>14 Apr 2026<'])
      expect(svg).toContain(text);
    expect(svg).not.toContain('class="line paid"');
    expect(svg).not.toContain('>£0<');
    // The ends have their values, and each has a dot; the first has the line above it.
    expect(svg).toMatch(/text-anchor="start"[^>]*>£50,000\.00<.*text-anchor="end"[^>]*>£61,990\.00</s);
    expect(svg.match(/<circle class="dot"/g)).toHaveLength(2);
    const path = /<path class="line" d="M([^"]*)"/.exec(svg)?.[1]?.split('L') ?? [];
    expect(path).toHaveLength(days.length);
    const [first, last] = [path[0], path.at(-1)].map((point) => point?.split(' ').map(Number) ?? []);
    expect(first?.[0]).toBeLessThan(last?.[0] as number);
    expect(first?.[1]).toBeGreaterThan(last?.[1] as number);
  });

  test.each([
    [365, '<dt>Money-weighted return</dt><dd class="gain">+3.0%</dd>'],
    [366, '<dt>Yearly return (IRR)</dt><dd class="gain">+3.3%</dd>'],
  ])('of %d days has a rate a year only where the period is over a year', (days, figure) => {
    expect(draw({ ...answer, moneyWeighted: { annualPercent: '3.32', periodPercent: '3.01', days } })).toContain(
      figure,
    );
  });

  test('draws what was put in as a second line, on the same axis', () => {
    const values = [
      ['2025-01-01', '100.00', '100.00'],
      ['2025-06-01', '150.00', '140.00'],
      ['2025-12-31', '200.00', '140.00'],
    ];
    const markup = draw({ ...answer, values, startValue: { at: '2025-01-01', value: '100.00' } });
    const [svg = ''] = /<svg viewBox="0 0 680 .*?<\/svg>/s.exec(markup) ?? [];
    const points = (name: string) =>
      new RegExp(`<path class="${name}" d="M([^"]*)"`)
        .exec(svg)?.[1]
        ?.split('L')
        .map((point) => point.split(' ').map(Number)) as [number, number][];
    const [value, putIn] = [points('line'), points('line paid')];
    expect(putIn.map(([x]) => x)).toEqual(value.map(([x]) => x));
    // Both begin at 100 and 140 is 40 % of the way to 200.
    expect(putIn[0]).toEqual(value[0]);
    const rise = (value[0]?.[1] ?? 0) - (value[2]?.[1] ?? 0);
    expect((putIn[0]?.[1] ?? 0) - (putIn[2]?.[1] ?? 0)).toBeCloseTo(rise * 0.4, 0);
    expect(markup).toContain('start value + payments: £140.00');
    // Both lines are named once, above the drawing.
    expect(markup.indexOf('</svg>start value + payments')).toBeLessThan(markup.indexOf('viewBox'));
    expect(svg).not.toContain('>start value');
    // The gain is the line between the ends of both, and is named with them.
    const [, x, from, to] = /<path class="gap gain" d="M([\d.]+) ([\d.]+)V([\d.]+)"/.exec(svg) ?? [];
    expect(Number(x)).toBeCloseTo(value.at(-1)?.[0] ?? 0, 0);
    expect(Number(from)).toBeCloseTo(value.at(-1)?.[1] ?? 0, 0);
    expect(Number(to)).toBeCloseTo(putIn.at(-1)?.[1] ?? 0, 0);
    expect(markup).toMatch(/<path class="gap gain" d="M7 1V13"\/><\/svg>gain: \+£/);
    expect(markup).toContain('aria-label="31 Dec 2025: £200.00, put in £140.00"');
    expect(markup).toContain('<dt>Value at the start</dt><dd class="">£100.00</dd>');
  });

  test.each([
    // In the year of reading, days need no year; a range of two years has both.
    ['2026-01-01', '2026-03-16', '1 Jan to 16 Mar'],
    ['2025-12-01', '2026-03-16', '1 Dec 2025 to 16 Mar 2026'],
  ])('names its range, with both years or none: %s', (first, last, said) => {
    const markup = draw({ ...answer, values: [first, last].map((day) => [day, '1.00']) });
    expect(markup).toContain(`<p class="soft">${said}</p>`);
  });

  test.each([
    // 334 days: beside the ends there is room for July alone in a narrow drawing, and for every second month in a wide one.
    [340, ['1 Jan 2025', 'Jul', '1 Dec 2025']],
    [680, ['1 Jan 2025', 'Mar', 'May', 'Jul', 'Sep', '1 Dec 2025']],
  ])('the marks below a drawing of %d are even', (width, marks) => {
    const values = Array.from({ length: 335 }, (_, n) => [
      new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10),
      '50000.00',
    ]);
    const [svg = ''] = new RegExp(`<svg viewBox="0 0 ${width} .*?</svg>`, 's').exec(draw({ ...answer, values })) ?? [];
    const below = [...svg.matchAll(/<text class="quiet" [^>]*y="(\d+)">([^<]*)/g)].map(([, y, text]) => [y, text]);
    expect(below.filter(([y]) => y === below.at(-1)?.[0]).map(([, text]) => text)).toEqual(marks);
  });

  test('has no drawing without two days, and is no model of another result', () => {
    expect(draw({ ...answer, values: days.slice(0, 1) })).not.toContain('<svg');
    expect(readReturns({ columns: ['a'], rows: [] })).toBeUndefined();
  });
});

test('a holding is named, and a loss is one', () => {
  const markup = draw({ ...answer, name: 'Halden Energy', ticker: 'HLDN_US_EQ', gain: '-12.00', values: undefined });
  expect(markup).toContain('>Return of Halden Energy</h2>');
  expect(markup).toContain('<dt>Loss</dt><dd class="loss">−£12.00 <small>+8.5%</small></dd>');
  expect(draw({ ...answer, name: undefined, ticker: 'HLDN_US_EQ' })).toContain('>Return of HLDN</h2>');
});

test('thinned items are even, with the first and the last', () => {
  expect(thin([1, 2, 3], 3)).toEqual([1, 2, 3]);
  expect(thin([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([0, 4, 8]);
});

test.each([
  [['6499.84', '-852.10', '-1135.33', '-3609.72', '-961.37', '58.68'], '0.00'],
  [['0.1', '0.2'], '0.3'],
  [['-0.05', '0.04'], '-0.01'],
  [['90071992547409.93', '0.0001'], '90071992547409.9301'],
  [['5', '-7'], '-2'],
])('the exact sum of %j is %s', (decimals, sum) => {
  expect(sumDecimals(decimals)).toBe(sum);
});
