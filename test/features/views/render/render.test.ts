/** The figures of a result are the figures drawn; names are shown as text, whatever they contain. */

import { describe, expect, test } from 'vitest';
import { drawCommand } from '../../../../src/core/text/draw-command.ts';
import { formatTicker } from '../../../../src/core/text/format-money.ts';
import { html } from '../../../../src/core/text/html-template.ts';
import { orderSentences } from '../../../../src/core/text/outcome-sentences.ts';
import { type CostsModel, readCosts } from '../../../../src/features/views/model/read-costs.ts';
import { type Dividends, readDividends } from '../../../../src/features/views/model/read-dividends.ts';
import { type DocumentModel, readDocument } from '../../../../src/features/views/model/read-document.ts';
import { type DraftModel, readDraft } from '../../../../src/features/views/model/read-draft.ts';
import { type Gains, readGains } from '../../../../src/features/views/model/read-gains.ts';
import { type PortfolioModel, readPortfolio } from '../../../../src/features/views/model/read-portfolio.ts';
import { readTicket, type TicketModel } from '../../../../src/features/views/model/read-ticket.ts';
import { maxRows, niceScale, normalize } from '../../../../src/features/views/render/charts.ts';
import { colorFor, drawAllocation } from '../../../../src/features/views/render/draw-allocation.ts';
import { drawCosts } from '../../../../src/features/views/render/draw-costs.ts';
import { drawDividends } from '../../../../src/features/views/render/draw-dividends.ts';
import { drawDocument } from '../../../../src/features/views/render/draw-document.ts';
import { drawDraft } from '../../../../src/features/views/render/draw-draft.ts';
import { drawGains } from '../../../../src/features/views/render/draw-gains.ts';
import { drawProfitLoss } from '../../../../src/features/views/render/draw-profit-loss.ts';
import { countdown, drawTicket } from '../../../../src/features/views/render/draw-ticket.ts';
import {
  formatCountry,
  formatDay,
  formatMoment,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatPrice,
  formatSigned,
  formatSignedMoney,
  formatTimestamp,
} from '../../../../src/features/views/render/format-values.ts';
import { cutMiddle, fitText, textWidth, wrapNames, wrapText } from '../../../../src/features/views/render/wrap-text.ts';
import { buildReportPage, listReportGaps } from '../../../../src/features/views/report-page.ts';
import {
  costs,
  dividends,
  gains,
  type HoldingRow,
  holdings,
  hostile,
  plan,
  portfolio,
  portfolioOf,
  recurringPlan,
  savedReport,
  stoppedDraft,
  ticket,
} from '../answers.ts';
import { findModelText } from '../model-text.ts';

const look = { locale: 'en-GB', timeZone: 'UTC' };
const allocation = (answer: object) => drawAllocation(readPortfolio({ ...answer }) as PortfolioModel, look).markup;
const profitLoss = (answer: object) => drawProfitLoss(readPortfolio({ ...answer }) as PortfolioModel, look).markup;
const income = (answer: object) => drawDividends(readDividends({ ...answer }) as Dividends, look).markup;
const realised = (answer: object) => drawGains(readGains({ ...answer }) as Gains, look).markup;
const draft = (answer: object, now = '2026-03-16T09:30:23Z') =>
  drawDraft(readDraft({ ...answer }) as DraftModel, { ...look, now: Date.parse(now) }).markup;
const order = (answer: object, now: string) =>
  drawTicket(readTicket({ ...answer }) as TicketModel, { ...look, now: Date.parse(now) }).markup;

/** The drawing of one width. */
const svgOf = (markup: string, width: number) =>
  new RegExp(`<svg viewBox="0 0 ${width} .*?</svg>`, 's').exec(markup)?.[0] ?? '';
const marksIn = (markup: string, width = 680) =>
  [...svgOf(markup, width).matchAll(/<g data-mark .*?<\/g>/gs)].map(String);
const attribute = (markup: string, name: string) => Number(new RegExp(` ${name}="([^"]*)"`).exec(markup)?.[1]);

const many: readonly HoldingRow[] = Array.from({ length: 500 }, (_, index) => [
  `T${index}_US_EQ`,
  `Name ${index}`,
  String(1 + ((index * 37) % 900)),
  '0.20',
  '100.00',
  `${index % 2 ? '-' : ''}${index}.50`,
  index % 2 ? '-3.00' : '4.00',
  '0.00',
]);

/** The sentence of holdings that are one; those of `many` cost 100 each and have a weight of 0.20 each. */
function sayOthers(rows: readonly HoldingRow[]): string {
  const cents = (text: string) => Math.round(100 * Number(text));
  const result = rows.reduce((total, [, , , , , text]) => total + cents(text), 0);
  const sign = result < 0 ? '−' : '+';
  const value = rows.reduce((total, [, , text]) => total + Number(text), 0);
  return `${rows.length} others, value £${value.toLocaleString('en-GB')}.00, weight ${(rows.length / 5).toFixed(1)}%, ${result < 0 ? 'loss' : 'profit'} ${sign}£${(Math.abs(result) / 100).toFixed(2)}, ${sign}${(Math.abs(result) / 100 / rows.length).toFixed(1)}%`;
}

describe('figures as text', () => {
  test.each([
    [formatNumber('1234567.5', look), '1,234,567.5'],
    [formatNumber('12345678901234567.89', look), '12,345,678,901,234,567.89'],
    [formatNumber('-12.00', look), '−12.00'],
    [formatNumber('1234567.5', { locale: 'de-DE' }), '1.234.567,5'],
    [formatNumber(undefined, look), 'unknown'],
    [formatSigned('12.30', look), '+12.30'],
    [formatSigned('0.00', look), '0.00'],
    [formatPercent('33.05', look), '33.1%'],
    [formatPercent('22.5724', look), '22.6%'],
    [formatPercent('40', look), '40.0%'],
    [formatCountry('IE', look), 'Ireland'],
    [formatCountry('unknown', look), 'unknown'],
    [formatMoney('4003.13', 'GBP', look), '£4,003.13'],
    [formatMoney('4003.1', 'EUR', { locale: 'de-DE' }), '4.003,10\u00a0€'],
    [formatMoney('-70', 'USD', look), '−US$70.00'],
    [formatMoney('70.5', 'GBX', look), '70.50p'],
    [formatMoney('1234567.00', 'JPY', look), 'JP¥1,234,567'],
    [formatMoney('1234.5', 'JPY', look), 'JP¥1,234.5'],
    [formatMoney('70.5000', 'USD', look), 'US$70.50'],
    [formatMoney('70.5125', 'USD', look), 'US$70.5125'],
    [formatMoney('70', 'a coin', look), '70.00\u00a0a coin'],
    [formatMoney('70', undefined, look), '70.00'],
    [formatMoney(undefined, 'GBP', look), 'unknown'],
    [formatSignedMoney('12.3', 'GBP', look), '+£12.30'],
    [formatTicker('QVELT_US_EQ'), 'QVELT'],
    [formatTicker('QWRLDl_EQ'), 'QWRLD'],
    [formatTicker('ZKESL/A_US_EQ'), 'ZKESL/A'],
    [formatTicker('QO.Bl_EQ'), 'QO.B'],
    [formatTicker('YQMAR'), 'YQMAR'],
    [formatTicker('_EQ'), '_EQ'],
    [formatPrice('318.5', 'GBX', look), '318.50p (£3.185)'],
    [formatPrice('318.5125', 'GBX', look), '318.5125p (£3.185125)'],
    [formatPrice('7', 'GBX', look), '7.00p (£0.07)'],
    [formatPrice('7000', 'GBX', look), '7,000.00p (£70.00)'],
    [formatPrice('70', 'GBP', look), '£70.00'],
    [formatPrice('318.5', undefined, look), '318.50 (currency unknown)'],
    [formatDay('2026-02-10', look), '10 Feb 2026'],
    [formatDay('2025-09-10', look), '10 Sep 2025'],
    [formatDay('before time', look), 'before time'],
    [formatTimestamp(1773653400000, look), '16 Mar 2026 09:30'],
    [formatTimestamp(1773653400000, { ...look, now: 1773653400000 }), '16 Mar 09:30'],
    [formatTimestamp(1773653400000, { ...look, now: 1773653400000, isLive: true }), 'today 09:30'],
    [formatTimestamp(1773653400000, { ...look, now: 1773567001000, isLive: true }), 'tomorrow 09:30'],
    [formatTimestamp(1773653400000, { ...look, now: 1773739800000, isLive: true }), '16 Mar 09:30'],
    [formatDay('2026-09-10', look), '10 Sep 2026'],
    [formatPeriod('2026-09', look).short, 'Sep'],
    [formatPeriod('2026-09', look).full, 'September 2026'],
    [formatMoment(1773653400000, look), '16 Mar 2026, 09:30 UTC'],
    [formatDay('2026-02-10', { ...look, now: 1773653400000 }), '10 Feb'],
    [formatDay('2025-02-10', { ...look, now: 1773653400000 }), '10 Feb 2025'],
    [formatPeriod('2026-03', look).full, 'March 2026'],
    [formatPeriod('2026-09', look).short, 'Sep'],
    [formatPeriod('2026-09', look).full, 'September 2026'],
    [formatPeriod('2026-Q1', look).full, 'Q1 2026'],
    [formatPeriod('2026', look).full, '2026'],
    [countdown(97), '1:37'],
  ])('%j', (written, wanted) => {
    expect(written).toBe(wanted);
  });

  test('a day is the same day in every time zone', () => {
    expect(formatDay('2026-02-10', { locale: 'en-GB', timeZone: 'Pacific/Kiritimati' })).toBe('10 Feb 2026');
  });

  test('a text is cut only where it does not fit, and never to almost nothing', () => {
    expect(fitText('Global Equity Fund', 400, 13)).toBe('Global Equity Fund');
    const cut = fitText('Global Equity Fund', 80, 13);
    expect(cut).toMatch(/^Global.*…$/);
    expect(textWidth(cut, 13)).toBeLessThanOrEqual(80);
    expect(fitText('Global Equity Fund', 20, 13)).toBe('');
  });

  test.each([
    ['Global Equity Fund', 18, 'Global Equity Fund'],
    ['Global Equity Fund (Acc)', 20, 'Global\n…(Acc)'],
    ['Global Equity Fund of Funds (Acc)', 28, 'Global Equity\n…Funds (Acc)'],
  ])('of %j the beginning and the end are at most %d letters', (name, most, cut) => {
    expect(cutMiddle(name, most)).toBe(cut);
  });

  test('a cut name has its symbol after it, and before it where two that are cut begin alike', () => {
    const wrap = (most: number, ...names: readonly (readonly [name: string, symbol?: string])[]) =>
      wrapNames(
        names.map(([name, symbol]) => ({ name, symbol })),
        () => 130,
        13,
        most,
      ).map(({ lines }) => lines);
    const [long, short] = ['Northern Core World ETF (Acc)', 'Halden'];
    const [[first] = [], second] = wrap(1, [long, 'NCWA'], [short, 'HLDN']);
    expect(first).toEqual({ text: expect.stringMatching(/^Northern.*…$/), after: 'NCWA' });
    expect(second).toEqual([{ text: short }]);
    const alike = [
      ['Northern Core World Value ETF in Euros (Acc)', 'NCWA'],
      ['Northern Core World Value ETF in Euros (Dist)', 'NCWD'],
      [short, 'HLDN'],
    ] as const;
    // A line of its own has the end.
    for (const most of [1, 2])
      expect(wrap(most, ...alike)).toEqual([
        [{ before: 'NCWA', text: 'Northern' }, { text: '…in Euros (Acc)' }],
        [{ before: 'NCWD', text: 'Northern' }, { text: '…in Euros (Dist)' }],
        [{ text: short }],
      ]);
    const [whole] = wrap(1, ['Northern Core World A', 'NCWA'], ['Northern Core World B', 'NCWB']);
    expect(whole).toEqual([{ before: 'NCWA', text: 'Northern' }, { text: 'Core World A' }]);
    // Without a symbol there is nothing to tell them apart.
    expect(wrap(1, [long], [long])[0]).toEqual([{ text: fitText(long, 130, 13) }]);
  });

  test('a text that does not fit goes on in a second line, and only that one is cut', () => {
    expect(wrapText('Global Equity Fund', 400, 13)).toEqual(['Global Equity Fund']);
    expect(wrapText('Global Equity Fund', 90, 13)).toEqual(['Global', 'Equity Fund']);
    const [first, second, ...more] = wrapText('Global Equity Fund of Funds', 90, 13, 2);
    expect([first, more]).toEqual(['Global', []]);
    expect(second).toMatch(/^Equity.*…$/);
    // A word that is too long is cut.
    expect(wrapText('Beteiligungsverwaltung Eins', 60, 13)).toEqual([fitText('Beteiligungsverwaltung Eins', 60, 13)]);
  });
});

test('an axis has round steps, holds every value and zero', () => {
  const scale = niceScale([-873.85, 2784.31], 4);
  expect(scale.ticks).toEqual([-1000, 0, 1000, 2000, 3000]);
  expect(normalize(0, scale)).toBe(0.25);
  expect(niceScale([], 4).ticks).toEqual([0, 1]);
  expect(niceScale([0.03, 0.11], 4)).toMatchObject({ from: 0, to: 0.15000000000000002 });
  expect(niceScale([52_000, 96_000], 4, 52_000).ticks).toEqual([40_000, 60_000, 80_000, 100_000]);
});

describe('the allocation', () => {
  test('has one field for each holding, in each width, with its figures', () => {
    const markup = allocation(portfolioOf(holdings.slice(0, 8)));
    for (const width of [480, 680]) expect(marksIn(markup, width)).toHaveLength(8);
    expect(marksIn(markup)[1]).toContain(
      'aria-label="Halden Energy (HLDN), value £6,120.00, weight 15.8%, loss −£570.12, −8.5%"',
    );
    for (const figure of ['£40,058.02', '£38,853.25', '£1,204.77', '+£4,105.88', 'as 5 equal holdings'])
      expect(markup).toContain(figure);
    expect(markup).not.toMatch(/_EQ/);
  });

  test('the cash is no field: a bar divides the account into holdings and cash, in proportion', () => {
    const rich = allocation(portfolioOf(holdings, { cash: '38853.25', totalValue: '77706.50' }));
    expect(rich).toContain(
      '<rect class="held" x="0%" width="50%" height="100%"/><rect class="cash" x="50%" width="50%" height="100%"/>',
    );
    expect(rich).toContain('<li><i class="held"></i>Holdings 50.0%</li><li><i class="cash"></i>Cash 50.0%</li>');
    // A part that is too small to see is named too, and one holding has the bar alone.
    expect(allocation(portfolio)).toContain('<li><i class="cash"></i>Cash 3.0%</li>');
    expect(allocation(portfolioOf(holdings.slice(0, 1)))).toContain('<rect class="cash"');
    expect(allocation(portfolioOf([]))).not.toContain('class="cash"');
    for (const totalValue of ['0.00', '-5.00'])
      expect(allocation(portfolioOf(holdings, { totalValue }))).not.toContain('class="cash"');
    expect(allocation(portfolioOf(holdings, { cash: '0.00' }))).not.toContain('class="cash"');
    expect(allocation(portfolioOf(holdings, { totalValue: undefined }))).not.toContain('class="cash"');
  });

  test('weights have one basis, which is named once', () => {
    const markup = allocation(portfolio);
    expect(markup.match(/Each holding: its share of all holdings, then its return\./g)).toHaveLength(1);
    const [first] = marksIn(markup);
    expect(first).toContain('>33.1%<');
    expect(first).toContain('weight 33.1%');
    expect(markup).toContain('<dt>Largest position</dt><dd class="">Global Equity Fund <small>33.1%</small></dd>');
    expect(markup).toContain('data-label="Weight" data-key="33.05">33.1%<');
    expect(allocation({ columns: ['group', 'value'], rows: [['USD', '5']] })).not.toContain('its share');
  });

  test('each of the largest holdings is a field with its name or symbol, and the others are one, with their number and weight', () => {
    const markup = allocation(portfolioOf(many.slice(0, 70)));
    const sorted = many.slice(0, 70).sort((a, b) => Number(b[2]) - Number(a[2]));
    for (const width of [480, 680]) {
      const marks = marksIn(markup, width);
      const [own, others] = [marks.length - 1, 71 - marks.length];
      expect(own).toBeGreaterThan(20);
      expect(marks.at(-1)).toContain(`aria-label="${sayOthers(sorted.slice(own))}"`);
      expect(marks.at(-1)).toContain(`>${others} others</text>`);
      // What is written in a field is the name, the weight and the result, as far as there is room.
      for (const mark of marks) {
        const texts = (kind: string) =>
          [...mark.matchAll(new RegExp(`<text class="${kind}"[^>]*>([^<]+)<`, 'g'))].map(([, text]) => text);
        const shapes = [/^\d+\.\d%$/, /^[+−]?\d+\.\d%$/].slice(0, texts('').length);
        expect(texts('')).toEqual(shapes.map((shape) => expect.stringMatching(shape)));
        expect(texts('strong')).not.toEqual([]);
        // Of many, each has its weight too.
        expect(texts('')).not.toEqual([]);
      }
      const below = markup.split(svgOf(markup, width))[1]?.split('<svg')[0] ?? '';
      // Each symbol of the drawing is named below it.
      const symbols = marks.slice(0, own).flatMap((mark) => {
        const [, name, symbol] = /aria-label="(.+?) \((.+?)\), value/.exec(mark) ?? [];
        const text = [...mark.matchAll(/<text class="strong"[^>]*>([^<]+)</g)].map(([, line]) => line).join(' ');
        return text === name ? [] : [[symbol, name]];
      });
      expect(symbols.length).toBeGreaterThan(5);
      expect([...below.matchAll(/<b>(.+?)<\/b> (.+?)<\/span>/g)].map(([, ...parts]) => parts)).toEqual(symbols);
      expect(below).toContain('<p class="below">Names</p>');
      expect(below).toContain('<p class="below">The table has all 70.</p>');
    }
    expect(markup.match(/role="rowheader"/g)).toHaveLength(70);
    expect(marksIn(allocation(portfolioOf(holdings.slice(0, 8))))).toHaveLength(8);
  });

  test('no field has larger letters than one that is larger', () => {
    // The third name needs small letters, so those of smaller fields are small too.
    const names = ['Halden', 'Lumo', 'Internationale Versicherungsgruppe', 'Pelkin', 'Tarrow', 'Orrin'];
    const rows = names.map((name, n) => [`T${n}`, name, String(100 - n), '16.00', '90.00', '1.00', '1.00', '0.00']);
    const marks = marksIn(allocation(portfolioOf(rows as never)), 480);
    expect(marks.map((mark) => mark.includes('font-size="11"'))).toEqual([false, false, true, true, true, true]);
  });

  test('a name is in its field or, where it has no room, its symbol is, and the list below says what that is', () => {
    const [row] = holdings;
    const named = (names: readonly string[]) =>
      portfolioOf(
        names.map(
          (name, index) => (row as HoldingRow).with(0, `T${index}_US_EQ`).with(1, name) as unknown as HoldingRow,
        ),
        { cash: '0.00' },
      );
    const labels = (names: readonly string[], width: number) =>
      marksIn(allocation(named(names)), width).map((mark) =>
        [...mark.matchAll(/class="strong"[^>]*>([^<]*)/g)].map(([, text]) => text),
      );
    const [first] = labels(['Northern Lantern Developed World Index', 'Halden Energy', 'Lumo Health'], 480);
    expect(first?.join(' ')).toBe('Northern Lantern Developed World Index');
    // No name is cut.
    const long = ['Internationale Aktiengesellschaftsbeteiligungsverwaltung', 'Halden', 'Lumo', 'Tarrow'];
    expect(labels(long, 480)).toEqual([['T0'], ['Halden'], ['Lumo'], ['Tarrow']]);
    const listed = (width: number) =>
      [
        ...(
          allocation(named(long))
            .split(svgOf(allocation(named(long)), width))[1]
            ?.split('<svg')[0] ?? ''
        ).matchAll(/<b>(T\d)<\/b> ([^<]+)/g),
      ].map(([, symbol, name]) => [symbol, name]);
    expect(listed(480)).toEqual([['T0', long[0]]]);
    expect(allocation(named(long))).toContain(
      `<ul class="key"><li><i class="up-3"></i><span><b>T0</b> ${long[0]}</span><span class="number">33.1%</span><span class="number">+27.0%</span></li></ul>`,
    );
  });

  test('on a phone each holding is a row with its name, and its length is the value', () => {
    const markup = allocation(portfolioOf(many.slice(0, 35)));
    const marks = marksIn(markup, 340);
    expect(marks).toHaveLength(maxRows);
    const bars = marks.map((mark) => /<rect class="(?:(?:up|down)-\d|rest)"[^>]*>/.exec(mark)?.[0] ?? '');
    const sorted = many.slice(0, 35).sort((a, b) => Number(b[2]) - Number(a[2]));
    const values = sorted.map(([, , text]) => Number(text));
    const others = values.slice(29).reduce((sum, value) => sum + value, 0);
    // The longest has the whole width.
    for (const [n, value = 0] of [...values.slice(0, 29), others].entries())
      expect(attribute(bars[n] ?? '', 'width')).toBeCloseTo((340 * value) / (values[0] ?? 1), 2);
    expect(marks[29]).toContain(`aria-label="${sayOthers(sorted.slice(29))}"`);
    expect(marks[0]).toMatch(/>Name \d+<.*>[+−]\d+\.\d%<.*>\d+\.\d%</s);
    expect(markup.split(svgOf(markup, 340))[1]?.split('<svg')[0]).toContain(
      '<p class="below">The table has all 35.</p>',
    );
    const whole = allocation(portfolioOf(many.slice(0, 30)));
    expect(whole.split(svgOf(whole, 340))[1]?.split('<svg')[0]).not.toContain('The table has all');
  });

  test('on a phone a name that is cut ends with its symbol', () => {
    const name = 'Sterling Government Bond 0-5 Year UCITS ETF Hedged';
    const [first, ...others] = marksIn(
      allocation(portfolioOf([holdings[0]?.with(1, name) as never, ...holdings.slice(1, 8)])),
      340,
    );
    expect(first).toMatch(/>Sterling Gov[a-zA-Z ]*… GEQW</);
    expect(others.join()).not.toContain('…');
  });

  test('draws areas in proportion to the values', () => {
    const drawn = holdings.slice(0, 8);
    const areas = marksIn(allocation(portfolioOf(drawn))).map((mark) => {
      const [hit = ''] = /<rect class="hit"[^>]*>/.exec(mark) ?? [];
      // Each field gives one pixel on every side to the gap.
      return (attribute(hit, 'width') + 2) * (attribute(hit, 'height') + 2);
    });
    const whole = 680 * Math.round(680 * 0.54);
    const total = drawn.reduce((sum, [, , value]) => sum + Number(value), 0);
    for (const [index, [, , value]] of drawn.entries()) {
      const wanted = (Number(value) / total) * whole;
      expect(Math.abs((areas[index] as number) - wanted) / wanted).toBeLessThan(0.01);
    }
  });

  test.each([
    ['-33.56', 'down-3'],
    ['-20', 'down-3'],
    ['-19.99', 'down-2'],
    ['-5', 'down-2'],
    ['-0.01', 'down-1'],
    ['0.00', 'even'],
    ['0.74', 'up-1'],
    ['5', 'up-2'],
    ['20.00', 'up-3'],
    [undefined, 'unknown'],
  ])('a result of %s percent is coloured %s', (value, tone) => {
    expect(colorFor(value)).toBe(tone);
  });

  test('one position is its row of the table, and no drawing', () => {
    const markup = allocation(portfolioOf(holdings.slice(0, 1), { cash: '0.00' }));
    expect(marksIn(markup)).toEqual([]);
    expect(markup).toContain('Global Equity Fund');
    expect(markup).not.toContain('Show as a table');
  });

  test('of five hundred the largest have a field each, the others share one, and Tab stops once', () => {
    const large: readonly HoldingRow[] = many.map((row, index) => row.with(2, String(9000 / (index + 1))) as never);
    const marks = marksIn(allocation(portfolioOf(large, { cash: '0.00' })));
    expect(marks.length).toBeGreaterThan(8);
    expect(marks[0]).toContain('Name 0');
    expect(marks.at(-1)).toContain(`${501 - marks.length} others`);
    expect(marks.filter((mark) => mark.includes('tabindex="0"'))).toHaveLength(1);
  });

  test('a holding without a value above zero is mentioned, and is in the table', () => {
    const rows = holdings.slice(0, 3).map((row, index) => (index === 1 ? ([...row].with(2, '-5.00') as never) : row));
    const markup = allocation(portfolioOf(rows, { cash: '0.00' }));
    expect(marksIn(markup)).toHaveLength(2);
    expect(markup).toContain('One row without a value above zero cannot be drawn');
    expect(markup).toContain('−£5.00');
  });

  test('an empty account is shown as empty only when the result is complete', () => {
    expect(allocation(portfolioOf([]))).toContain('Nothing is held: all of it is cash.');
    expect(allocation(portfolioOf([], { cash: '0.00' }))).toContain('Nothing is held.');
    // Figures of what is held would all be zero.
    expect(allocation(portfolioOf([]))).not.toContain('on what you hold');
    expect(allocation(portfolioOf([], { complete: false }))).toContain('in the available data.');
  });

  test('the value of the positions is called holdings, beside their cost', () => {
    for (const name of ['holdingsValue', 'investedValue']) {
      const markup = allocation(
        portfolioOf(holdings, { investedValue: undefined, [name]: '38853.25', cost: '34747.37' }),
      );
      expect(markup).toContain('<dt>Holdings</dt><dd class="">£38,853.25</dd>');
      expect(markup).toContain('<dt>Cost</dt><dd class="">£34,747.37</dd>');
      expect(markup).not.toContain('Invested');
    }
  });

  test('countries have names, and a note where funds count', () => {
    const byCountry = {
      columns: ['group', 'value'],
      rows: [
        ['IE', '5'],
        ['unknown', '2'],
        ['other (3)', '1'],
      ],
    };
    for (const markup of [allocation(byCountry), profitLoss(byCountry)]) {
      expect(markup).toContain('Ireland');
      expect(markup).toContain('A fund counts in the country where it is registered, not where it invests.');
    }
    expect(allocation({ columns: ['group', 'value'], rows: [['USD', '5']] })).not.toContain('Country');
  });

  test('an unknown result is named in the legend', () => {
    const markup = allocation({
      columns: ['group', 'value'],
      rows: [
        ['USD', '5'],
        ['GBP', '4'],
      ],
    });
    expect(markup).toContain('<i class="unknown"></i>unknown');
    expect(allocation(portfolio)).not.toContain('<i class="unknown">');
  });
});

describe('profit and loss', () => {
  test('losses alone begin with the greatest, and on a phone at the left', () => {
    const lost = holdings.slice(0, 3).map((row, n) => row.with(5, `-${n + 1}0.00`));
    const marks = marksIn(profitLoss(portfolioOf(lost as never)), 340);
    const bars = marks.map((mark) => /<rect class="loss"[^>]*>/.exec(mark)?.[0] ?? '');
    expect(marks.map((mark) => /<text[^>]*>([^<]*)/.exec(mark)?.[1])).toEqual(lost.map(([, name]) => name).reverse());
    expect(bars.map((bar) => attribute(bar, 'x'))).toEqual([0, 0, 0]);
    expect(attribute(bars[0] ?? '', 'width') / attribute(bars[2] ?? '', 'width')).toBeCloseTo(3, 2);
  });

  test('bars go from the greatest profit to the greatest loss, right and left of zero', () => {
    const markup = profitLoss(portfolio);
    const marks = marksIn(markup);
    expect(marks).toHaveLength(10);
    expect(marks[0]).toContain('Orrin Semiconductor');
    expect(marks.at(-1)).toContain('Lumo Health');
    const svg = svgOf(markup, 680);
    const zero = attribute(/<line class="zero"[^>]*>/.exec(svg)?.[0] ?? '', 'x1');
    for (const mark of marks) {
      const [bar = ''] = /<rect class="(gain|loss)"[^>]*>/.exec(mark) ?? [];
      const isLoss = bar.includes('"loss"');
      const near = isLoss ? attribute(bar, 'x') + attribute(bar, 'width') : attribute(bar, 'x');
      expect(near).toBeCloseTo(zero, 1);
    }
    const lengths = [0, 9].map((index) =>
      attribute(/<rect class="(gain|loss)"[^>]*>/.exec(marks[index] ?? '')?.[0] ?? '', 'width'),
    );
    expect((lengths[0] as number) / (lengths[1] as number)).toBeCloseTo(2784.31 / 873.85, 1);
  });

  test('of a loss the greatest loss is first', () => {
    const rows = holdings.map((row) => (row[0] === 'LUMO_US_EQ' ? (row.with(5, '-9000.00') as never) : row));
    const marks = marksIn(profitLoss(portfolioOf(rows)));
    expect(marks[0]).toContain('Lumo Health');
    expect(marks.at(-1)).toContain('Orrin Semiconductor');
  });

  test('every bar has its figures, so there is nothing to point at, and a narrow drawing has its axis between the names', () => {
    const markup = profitLoss(portfolio);
    expect(markup).not.toContain('class="readout"');
    // The zero of each row is as high as its bar, and nothing crosses a name.
    for (const mark of marksIn(markup, 340)) {
      const [zero = ''] = /<line class="zero"[^>]*>/.exec(mark) ?? [];
      expect(attribute(zero, 'y2') - attribute(zero, 'y1')).toBe(12);
      expect(attribute(zero, 'y1')).toBeGreaterThan(Number(/<text class="halo" x="0" y="([\d.]+)"/.exec(mark)?.[1]));
    }
    expect(svgOf(markup, 340)).not.toContain('class="grid"');
    expect(svgOf(markup, 340)).not.toContain('class="quiet"');
    expect(svgOf(markup, 680).match(/class="zero"/g)).toHaveLength(1);
  });

  test('of five hundred the largest are drawn, the others are one, and the table has all', () => {
    const markup = profitLoss(portfolioOf(many));
    expect(marksIn(markup)).toHaveLength(maxRows);
    // Of the numbers 0 to 470, 235 pairs of an even and an odd one are −1.00 each, and the last is +470.50.
    expect(marksIn(markup).at(-1)).toContain('profit +£235.50, +0.5%');
    expect(marksIn(markup).at(-1)).toContain('>471 others</text>');
    expect(markup).toContain(
      '<p class="below">The 29 largest profits and losses, from loss to profit. The others are one row; the table has all 500.</p>',
    );
    expect(profitLoss(portfolioOf(many.slice(0, maxRows)))).not.toContain('the table has all');
    expect(markup.match(/role="rowheader"/g)).toHaveLength(500);
    expect(svgOf(markup, 680)).toMatch(/>\+4\.0%<\/text><text [^>]*>\+£498\.50</);
    expect(svgOf(markup, 680)).not.toContain('+£12.50');
  });

  test('an unknown value is not drawn as zero', () => {
    const markup = profitLoss({ columns: ['group', 'value'], rows: [['USD', '5']] });
    expect(markup).toContain('The profit or loss of no position is known.');
    expect(markup).toContain('is unknown and not drawn');
  });
});

describe('dividends', () => {
  test('each month is a column, and only the projected ones are pale', () => {
    const marks = marksIn(income(dividends));
    expect(marks).toHaveLength(18);
    expect(marks.filter((mark) => mark.includes('<rect class="outlined"'))).toHaveLength(6);
    expect(marks.filter((mark) => mark.includes(', projected"'))).toHaveLength(6);
    expect(marks.slice(0, 12).join('')).not.toContain('outlined');
    expect(marks[8]).toContain('aria-label="December 2025: £83.64, 5 payments"');
  });

  test('a month that is paid and projected is one column, with the projection on top', () => {
    const projection = { ...dividends.projection, rows: [['2026-03', '20.00'], ...dividends.projection.rows] };
    const marks = marksIn(income({ ...dividends, projection }));
    expect(marks).toHaveLength(18);
    const [, paid = '', above = ''] =
      /(<rect class="gain"[^>]*>)(<rect class="outlined"[^>]*>)/.exec((marks[11] ?? '').replaceAll('\n', '')) ?? [];
    expect(marks[11]).toContain('March 2026: £40.08, 3 payments, and £20.00 projected');
    expect(attribute(above, 'y') + attribute(above, 'height')).toBeCloseTo(attribute(paid, 'y'), 1);
    expect(attribute(above, 'height') / attribute(paid, 'height')).toBeCloseTo(20 / 40.08, 2);
  });

  test.each<[string, object, object]>([
    ['Paid in 2025/26', { taxYear: '2025/26' }, { since: '2025-04-06', until: '2026-04-05' }],
    ['Paid from 6 Apr 2025 to 5 Apr 2026', {}, { since: '2025-04-06', until: '2026-04-05' }],
    ['Paid since 6 Apr 2025', {}, { since: '2025-04-06' }],
    ['Paid until 5 Apr 2026', {}, { until: '2026-04-05' }],
    ['Paid since Apr 2025', {}, {}],
    ['Paid since 2024', { columns: ['year', 'amount', 'count'], rows: [['2024', '12.00', 3]] }, {}],
    ['Paid so far', { columns: ['type', 'amount', 'count'] }, {}],
  ])('the sum says its range: %s', (said, more, range) => {
    expect(income({ ...dividends, ...more, range })).toContain(`<dt>${said}</dt><dd class="">£362.89</dd>`);
  });

  test('by country there are names, and where a fund counts', () => {
    const markup = income({ ...dividends, columns: ['country', 'amount', 'count'], rows: [['IE', '12.00', 3]] });
    expect(markup).toContain('Ireland');
    expect(markup).toContain('A fund counts in the country where it is registered, not where it invests.');
  });

  test('the height of a column is its share of the axis', () => {
    const svg = svgOf(income(dividends), 680);
    const heights = [...svg.matchAll(/<rect class="gain"[^>]*>/g)].map(([bar]) => attribute(bar, 'height'));
    // The axis goes to 100 over 270 − 24 − 36 pixels.
    expect(heights[8]).toBeCloseTo((83.64 / 100) * 210, 1);
    expect(heights[1]).toBe(0);
  });

  test('the twelve months are named by their end, which can be long ago', () => {
    expect(income(dividends)).toContain('<dt>Paid, 12 months to 16 Mar 2026</dt><dd class="">£362.89');
    const past = { ...dividends, trailingTwelveMonths: { amount: '10.00', to: '2025-04-05T23:00:00.000Z' } };
    expect(income(past)).toContain('<dt>Paid, 12 months to 5 Apr 2025</dt>');
  });

  test('the projection is labelled as one and enters no figure of what was paid', () => {
    const markup = income(dividends);
    expect(markup).toContain('<dt>Projected to Sep 2026</dt><dd class="">£371.50');
    expect(svgOf(markup, 340)).toContain('>Projection</text>');
    expect(markup).toContain('<summary>How it is projected</summary>');
    expect(markup).toContain('Each payment of the last twelve months');
    expect(income({ ...dividends, projection: undefined })).not.toMatch(/projection|outlined/i);
  });

  test('by ticker there are bars, and the projection has a drawing of its own', () => {
    const markup = income({ ...dividends, columns: ['ticker', 'amount', 'count'], rows: [['HLDN_US_EQ', '12.00', 3]] });
    expect(markup).toContain('Dividends by instrument');
    expect(markup).toContain('<h3>Projection by month</h3>');
    expect(marksIn(markup)).toHaveLength(1);
  });

  test('a column has its amount where all have room, else the largest has its own, and a line is the mean', () => {
    const years = { ...dividends, columns: ['year', 'amount', 'count'], projection: undefined };
    const rows = [
      ['2024', '900.00', 4],
      ['2025', '1200.00', 4],
    ];
    const few = income({ ...years, rows });
    const texts = (markup: string, width: number) =>
      [...svgOf(markup, width).matchAll(/>(£[\d,]+\.\d\d)<\/text>/g)].map(([, text]) => text);
    for (const width of [340, 680]) expect(texts(few, width)).toEqual(['£900.00', '£1,200.00']);
    expect(few).not.toContain('mean');
    // Nothing is left to point at.
    expect(few).not.toContain('class="readout"');
    const months = { ...dividends, projection: undefined };
    const amounts = Array.from({ length: 40 }, (_, n) => (n === 7 ? '210.00' : '10.00'));
    const many = income({
      ...months,
      rows: amounts.map((amount, n) => [
        `${2023 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
        amount,
        1,
      ]),
    });
    for (const width of [340, 680]) expect(texts(many, width)).toEqual(['£210.00']);
    // (39 × 10 + 210) / 40
    expect(many).toContain(
      '<path class="split" d="M0 7H14"/></svg>mean £15.00 a month, Jan 2023 to Apr 2026</li></ul>',
    );
    const [line = ''] = /<line class="split"[^>]*>/.exec(svgOf(many, 680)) ?? [];
    // The axis goes to 300 over 270 − 24 − 36 pixels, from 234 up.
    expect(attribute(line, 'y1')).toBeCloseTo(234 - (15 / 300) * 210, 1);
    expect(attribute(line, 'y2')).toBe(attribute(line, 'y1'));
    expect(many).toContain('class="readout"');
  });

  test('where not each month has a label, each January has one with its year and a tick', () => {
    const rows = Array.from({ length: 36 }, (_, n) => [
      `${2023 + Math.floor((n + 11) / 12)}-${String(((n + 11) % 12) + 1).padStart(2, '0')}`,
      '10.00',
      1,
    ]);
    const markup = income({ ...dividends, projection: undefined, rows });
    for (const width of [340, 680]) {
      const svg = svgOf(markup, width);
      const find = (pattern: RegExp) =>
        [...svg.matchAll(pattern)].map(([, x, text]) => [Number(x).toFixed(3), text] as const);
      const januaries = find(/x="([\d.]+)" y="[\d.]+">(Jan)<\/text>/g).map(([x]) => x);
      expect(januaries).toHaveLength(3);
      expect(find(/quiet strong" text-anchor="middle" x="([\d.]+)" y="[\d.]+">(\d{4})</g)).toEqual(
        ['2024', '2025', '2026'].map((year, n) => [januaries[n], year]),
      );
      const ticks = find(/<line class="zero" x1="([\d.]+)" x2=()/g).map(([x]) => x);
      for (const january of januaries) expect(ticks).toContain(january);
    }
    const quarters = Array.from({ length: 24 }, (_, n) => [
      `${2020 + Math.floor((n + 3) / 4)}-Q${((n + 3) % 4) + 1}`,
      '1.00',
      1,
    ]);
    const svg = svgOf(
      income({ ...dividends, columns: ['quarter', 'amount', 'count'], projection: undefined, rows: quarters }),
      340,
    );
    const names = [...svg.matchAll(/>(Q\d)<\/text>/g)].map(([, name]) => name);
    // A column takes 12 of 340 pixels, and a name takes more.
    expect(names).toEqual(Array.from({ length: 11 }, (_, n) => (n % 2 === 0 ? 'Q1' : 'Q3')));
  });

  test('a projection that stands alone is named by its heading once, and one line is for both drawings', () => {
    const columns = ['year', 'amount', 'count'];
    const markup = income({ ...dividends, columns, rows: [['2025', '900.00', 4]] });
    expect(markup).toContain('<h3>Projection by month</h3>');
    expect(markup).not.toContain('>Projection</text>');
    expect(markup.match(/class="readout"/g)).toHaveLength(1);
  });

  test('a month below zero is drawn below the line', () => {
    const markup = income({
      columns: ['month', 'amount'],
      rows: [
        ['2026-01', '-4.00'],
        ['2026-02', '4.00'],
      ],
    });
    const [below = '', above = ''] = marksIn(markup);
    expect(below).toContain('class="loss"');
    expect(attribute(below, 'y')).toBeCloseTo(attribute(above, 'y') + attribute(above, 'height'), 1);
  });

  test('an empty list of dividends is described in words', () => {
    const none = { ...dividends, rows: [], projection: undefined, complete: true, total: '0.00' };
    expect(income(none)).toContain('No dividends so far.');
    const range = income({ ...none, range: { since: '2025-04-06', until: '2026-04-05' } });
    expect(range).toContain('No dividends from 6 Apr 2025 to 5 Apr 2026.');
    // The sentence is the sum, and there are no months.
    expect(range).not.toContain('£0.00');
    expect(range).toContain('<h2 id="dividends-title">Dividends</h2>');
    expect(range).toContain('<p class="soft">Paid, 12 months to 16 Mar 2026: £362.89</p>');
  });
});

describe('realised gains', () => {
  test('each sale shows gain or loss by sign', () => {
    const markup = realised(gains);
    for (const text of ['−£192.20', '+£437.71', '£0.00']) expect(markup).toContain(`>${text}</td>`);
    for (const text of ['+£395.72', '+£812.30', '−£416.58', '£6,408.12']) expect(markup).toContain(`>${text}</dd>`);
  });

  test('sales without a known purchase are reported', () => {
    expect(realised(gains)).toContain('The cost of one row is not known; totals exclude it.');
    expect(realised(gains)).toContain('<small>brokerage-mcp cost-basis set --fill 9');
    const without = realised({ ...gains, unmatchedCount: 0, unmatched: [] });
    expect(without).not.toContain('totals exclude');
    expect(without).not.toContain('Not in the totals');
  });

  test('rows carry exact keys to sort by', () => {
    expect(realised(gains)).toContain('data-key="-192.20"');
    expect(realised(gains)).toContain('data-key="2025-05-02"');
  });

  test('a sale has its date, proceeds, cost and gain; a reader opens the rest below its name', () => {
    const markup = realised(gains);
    const [, sales = ''] = /<caption>5 sales, the newest first<\/caption>(.*?)<\/table>/s.exec(markup) ?? [];
    expect([...sales.matchAll(/<button type="button">([^<]*)/g)].map(([, head]) => head)).toEqual([
      ...['Sale', 'Date', 'Proceeds', 'Cost', 'Gain or loss'],
    ]);
    expect(sales).toContain(
      '>ORRN<details><summary>12.5 shares</summary><p>Matched: 2.5 from the same day; 10 from the pool</p></details></th>',
    );
    const days = [...sales.matchAll(/data-label="Date" data-key="([^"]+)"/g)].map(([, day]) => day);
    expect(days).toEqual(gains.rows.map(([day]) => day).toReversed());
    // The sums of the result are the last row, outside of what a head sorts.
    const [, total = ''] = /<tfoot[^>]*>(.*?)<\/tfoot>/s.exec(sales) ?? [];
    for (const text of ['>All 5 sales</th>', '>£6,408.12</td>', '>£6,012.40</td>', '>+£395.72</td>'])
      expect(total).toContain(text);
  });

  test('the largest results come first by instrument, and every sale is folded, the newest first', () => {
    const rows = Array.from({ length: 20 }, (_, index) =>
      (gains.rows[0] as string[]).with(0, `2025-05-${String(index + 1).padStart(2, '0')}`),
    );
    const markup = realised({ ...gains, rows, totals: { ...gains.totals, disposals: 52 } });
    expect(markup).not.toContain('<summary>By instrument');
    const [open = '', folded = ''] = markup.split('<summary>Sale by sale: the newest 20 of 52</summary>');
    expect(open).toContain('The largest gains and losses first</caption>');
    expect(folded).toContain('<caption>The 20 newest of 52 sales</caption>');
    expect(folded).toContain('>All 52 sales</th>');
    expect(folded.indexOf('20 May 2025')).toBeLessThan(folded.indexOf('12 May 2025'));
  });

  test('a card of a table that names no result has its first number beside the name', () => {
    const [, row = ''] = /<tbody[^>]*>(<tr.*?<\/tr>)/s.exec(income(dividends)) ?? [];
    expect([...row.matchAll(/class="([^"]*)" data-label="([^"]*)"/g)].map(([, kind, label]) => [label, kind])).toEqual([
      ['Amount', 'number sum'],
      ['Payments', 'number'],
    ]);
    const results = (markup: string) => [...markup.matchAll(/class="number sum[^"]*" data-label="([^"]*)"/g)][0]?.[1];
    expect(results(profitLoss(portfolio))).toBe('Profit or loss');
    expect(results(allocation(portfolio))).toBe('Value');
  });

  test('the sales of one instrument are folded from the eleventh on', () => {
    const one = { ...gains, byTicker: { ...gains.byTicker, rows: gains.byTicker.rows.slice(0, 1) } };
    const list = (count: number) =>
      realised({ ...one, rows: Array.from({ length: count }, () => gains.rows[0]), totals: undefined });
    expect(list(10)).toContain('<caption>10 sales, the newest first</caption>');
    expect(list(10)).not.toContain('<summary>Sale by sale');
    expect(list(11)).toContain('<summary>Sale by sale (11)</summary>');
  });

  test.each([
    [{}, 'Tax year 2025/26, by UK matching rules'],
    [{ taxYear: undefined, method: 'broker' }, 'Sales of all time, by the broker’s own figures'],
    // The days are those of the result's zone, and the second moment is the first one that is left out.
    [
      { taxYear: undefined, method: 'fifo', since: '2025-04-05T23:00:00.000Z', until: '2026-04-05T23:00:00.000Z' },
      'Sales 6 Apr 2025 to 5 Apr 2026, by first in, first out',
    ],
    [
      { taxYear: undefined, method: 'average', since: '2025-04-05T23:00:00Z' },
      'Sales since 6 Apr 2025, by average cost',
    ],
  ])('names the period and the method: %o', (part, text) => {
    expect(realised({ ...gains, timeZone: 'Europe/London', ...part })).toContain(`<p class="soft">${text}</p>`);
  });

  test('other figures stand behind their names', () => {
    expect(realised(gains)).toContain('<summary>Proceeds, cost, sales</summary>');
  });

  test('a card has the name and the result on its first line', () => {
    const [, sales = ''] = realised({ ...gains, unmatched: [] }).split('<summary>Sale by sale');
    const [, row = ''] = /<tbody[^>]*>(<tr.*?<\/tr>)/s.exec(sales) ?? [];
    expect([...row.matchAll(/class="([^"]*)" data-label="([^"]*)"/g)].map(([, kind, label]) => [label, kind])).toEqual([
      ...[
        ['Date', 'day'],
        ['Proceeds', 'number'],
        ['Cost', 'number'],
        ['Gain or loss', 'number sum gain'],
      ],
    ]);
  });

  test.each([
    [7, false],
    [8, true],
  ])('a document has its %d instruments in one table with their sum; folded: %s', (count, isFolded) => {
    const rows = Array.from({ length: count }, (_, n) => [`T${n}_US_EQ`, 1, '100.00', '90.00', `${n + 1}.00`]);
    const answer = { ...gains, byTicker: { ...gains.byTicker, rows }, totals: { gain: '36.00', disposals: count } };
    const { markup } = drawGains(readGains(answer) as Gains, { ...look, isPart: true });
    const [, list = ''] = /<caption>The largest gains first<\/caption>(.*?)<\/table>/s.exec(markup) ?? [];
    const names = [...list.matchAll(/rowheader"[^>]*>([^<]*)</g)].map(([, name]) => name);
    const largestFirst = Array.from({ length: count }, (_, n) => `T${count - 1 - n}`);
    expect(names).toEqual([...largestFirst, `All ${count} sales`]);
    expect(/<tfoot.*data-label="Gain or loss"[^>]*>([^<]*)/s.exec(list)?.[1]).toBe('+£36.00');
    expect(markup.includes(`<summary>By instrument (${count})</summary>`)).toBe(isFolded);
  });

  test.each([
    ['gain', 'Gains', '+£812.30'],
    ['loss', 'Losses', '−£416.58'],
  ])('a total has the colour of a %s and its sign: %s %s', (colour, term, text) => {
    expect(realised(gains)).toContain(`<dt>${term}</dt><dd class="${colour}">${text}</dd>`);
  });

  const byYear = {
    columns: ['year', 'disposals', 'proceeds', 'cost', 'gain', 'currency'],
    rows: [
      ['2025', 2, '30.00', '20.00', '10.00', 'GBP'],
      ['2026', 1, '5.00', '8.00', '-3.00', 'GBP'],
    ],
  };

  test('sales of several years have the sums of each, the newest first', () => {
    const [, list = ''] = /<caption>By year<\/caption>(.*?)<\/table>/s.exec(realised({ ...gains, byYear })) ?? [];
    expect([...list.replace(/<thead.*<\/thead>/s, '').matchAll(/>([^<\s][^<]*)</g)].map(([, text]) => text)).toEqual([
      ...['2026', '1 sale', '£5.00', '£8.00', '−£3.00'],
      ...['2025', '2 sales', '£30.00', '£20.00', '+£10.00'],
    ]);
    expect(realised({ ...gains, byYear: { ...byYear, rows: byYear.rows.slice(1) } })).not.toContain('By year');
  });

  test.each([
    ['18.29290507', '18.2929 shares'],
    ['1.50001', '1.5 shares'],
    ['2', '2 shares'],
    ['1200.5', '1,200.5 shares'],
    // Four decimals would hide it.
    ['0.00004', '0.00004 shares'],
  ])('a sale of %s shares says %s', (quantity, text) => {
    const at = gains.columns.indexOf('quantity');
    const rows = [(gains.rows[0] as unknown[]).map((cell, n) => (n === at ? quantity : cell))];
    expect(/>(?:[^<]* · )?([\d.,]+ shares)</.exec(realised({ ...gains, rows }))?.[1]).toBe(text);
  });

  test('an empty list of sales is described in words', () => {
    expect(realised({ ...gains, rows: [], byTicker: undefined })).toContain('No sales in this tax year.');
    expect(realised({ ...gains, taxYear: undefined, rows: [], byTicker: undefined })).toContain(
      'No sales in this period.',
    );
  });

  test('each currency has figures of its own, and a sale shows its charges, matches and pool', () => {
    const markup = realised({
      ...gains,
      currency: undefined,
      totals: undefined,
      totalsByCurrency: [
        { currency: 'GBP', gain: '1.00' },
        { currency: 'USD', gain: '-2.00' },
      ],
      columns: ['soldOn', 'ticker', 'gain', 'currency', 'charges', 'matches', 'poolAfter'],
      rows: [['2025-05-02', 'A', '1.00', 'GBP', '0.50', 'thirty_day 5 of 2025-05-20 = 45.00', '5 = 50.00']],
    });
    for (const text of [
      '<h3>GBP</h3>',
      '+£1.00',
      '−US$2.00',
      '<p>Charges: £0.50</p><p>Matched: 5 from the next 30 days (20 May 2025) for £45.00</p><p>Pool after: 5 for £50.00</p>',
    ])
      expect(markup).toContain(text);
    expect(realised(gains)).not.toContain('Charges');
  });
});

describe('the ticket', () => {
  test('while it waits: the order, the time left, and where approving happens', () => {
    const markup = order(ticket, '2026-03-16T09:30:23Z');
    for (const text of [
      '<h3><span class="side buy">BUY</span> 1,250 × Quarry &amp; Bramble</h3>',
      'QBRAM · Stop limit order · until it is filled or cancelled</p><p class="prices"><span>Stop <b>318.50p (£3.185)</b></span><span>Limit <b>320.25p (£3.2025)</b></span></p>',
      '£4,003.13',
      '<dt>Worst case</dt><dd class="">£4,083.19 <small>with 2% for charges</small></dd>',
      '<p class="soft">Prices of this instrument are in pence (GBX).</p>',
      // When it can be filled is beside the decision.
      '<li>The market is closed. It opens tomorrow 08:00. The order waits at the broker until then.</li></ul>\n<p class="way">Approve it on its page, on the computer that runs the server.</p>',
      '<small class="left"><span class="clock" id="clock" role="timer">1:37</span> left</small></p>',
      '<p>In a terminal: <code class="command"><span>brokerage-mcp</span> <span>approve</span></code></p></details>',
      '<a class="act" href="http://127.0.0.1:41703/t/4Jc0x2T1">Open the approval page</a>',
      '<details><summary>Other ways to approve it</summary><p>The address: <code>http://127.0.0.1:41703/t/4Jc0x2T1</code></p>',
    ])
      expect(markup).toContain(text);
    expect(markup).not.toContain('expired');
    // A person reads the order before the way to approve it.
    expect(markup.indexOf('Waiting for approval')).toBeLessThan(markup.indexOf('<h3>'));
    expect(markup).not.toContain(ticket.intentId);
  });

  test('after its time: expired, without claiming an unknown outcome', () => {
    const markup = order(ticket, '2026-03-16T09:32:00Z');
    expect(markup).toContain('<div class="state bad" role="status"><p class="title">Approval expired</p>');
    expect(markup).toContain('If the order was not approved before, nothing was sent.');
    expect(markup).not.toContain(ticket.next);
    expect(markup).not.toContain('id="clock"');
    expect(markup.indexOf('Approval expired')).toBeLessThan(markup.indexOf('<h3>'));
  });

  test('it only shows: no button, no form, and no link but to a page of this computer', () => {
    const markup = order(ticket, '2026-03-16T09:30:23Z');
    expect(markup).not.toMatch(/<(button|form|input)\b/);
    expect(markup.match(/<a\b/g)).toHaveLength(1);
    for (const address of ['https://example.org/', 'http://127.0.0.1.example.org/', 'javascript:alert(1)']) {
      const other = order({ ...ticket, approval: { ...ticket.approval, address } }, '2026-03-16T09:30:23Z');
      expect(other).toContain(`<code>${address}</code>`);
      expect(other).not.toMatch(/<a\b/);
    }
  });

  test.each([
    ['placed', 'Placed'],
    ['refused', 'Refused by a rule, not sent'],
    ['rejected', 'Rejected by the broker'],
    ['unknown', 'Unknown: the order may be live'],
  ])('the outcome %s is titled %s, with why, and without what the caller should do', (outcome, title) => {
    const markup = order({ ...ticket, outcome, message: 'M.', reason: 'R.', next: 'N.' }, '2026-03-16T09:30:23Z');
    expect(markup).toContain(`<p class="title">${title}</p>`);
    expect(markup).toContain('<p>R.</p>');
    expect(markup).not.toMatch(/<p>[MN]\.<\/p>/);
    expect(markup.indexOf('class="title"')).toBeLessThan(markup.indexOf('<h3>'));
    expect(markup).not.toContain('class="left"');
  });

  test.each([
    ['placed', 'good'],
    ['pending_approval', 'care'],
    ['refused', 'bad'],
    ['rejected', 'bad'],
    ['unknown', 'care'],
  ])('what became of an order that is %s has the colour %s', (outcome, tone) => {
    expect(order({ ...ticket, outcome, approval: undefined }, '2026-03-16T09:30:23Z')).toContain(
      `<div class="state ${tone}">`,
    );
  });

  const preview = {
    env: 'live',
    asOf: '2026-03-16T09:30:00.000Z',
    order: { type: 'LIMIT', ticker: 'QWRLDl_EQ', side: 'BUY', quantity: '3', limitPrice: '70', timeValidity: 'DAY' },
    instrument: { ticker: 'QWRLDl_EQ', name: 'World', currencyCode: 'GBP' },
    estimate: { value: '210.00', worst: '214.20', currency: 'GBP' },
    cash: { after: '24247.04' },
    charges: { known: true, total: '1.95', kinds: [] },
    checks: [{ check: 'cash', ok: true, detail: 'It is enough.' }],
    warnings: [],
    passes: true,
    sent: false,
  };

  test('a preview says that it is one, in a neutral colour, with charges and the cash after', () => {
    const markup = order(preview, '2026-03-16T09:30:23Z');
    expect(markup).toContain('<div class="state calm"><p class="title">Preview: not sent</p>');
    expect(markup).toContain('<p>This shows what the order would be.</p></div>');
    for (const text of ['£210.00 <small>before charges</small>', '£1.95', '£24,247.04 <small>before charges</small>'])
      expect(markup).toContain(`>${text}</dd>`);
    expect(markup).toContain(
      'QWRLD · Limit order · until midnight at the exchange</p><p class="prices"><span>Limit <b>£70.00</b></span></p>',
    );
    expect(markup).not.toContain('refused');
    expect(order({ ...preview, charges: { known: false } }, '2026-03-16T09:30:23Z')).toContain(
      '<dt>Estimated charges</dt><dd class="">unknown</dd>',
    );
  });

  test('a preview that fails says why, and what would pass', () => {
    const checks = [
      { check: 'shares', ok: false, detail: 'At most 2 can be sold.' },
      { check: 'rules', ok: false, rule: 'shares', detail: 'Only 2 shares are free.', largestQuantity: '2' },
    ];
    const markup = order({ ...preview, checks, passes: false }, '2026-03-16T09:30:23Z');
    expect(markup).toContain('<div class="state bad"><p class="title">Preview: would be refused now</p>');
    expect(markup).toContain('<p>Nothing was sent.</p></div>');
    expect(markup).not.toContain('This shows what the order would be.');
    // The reason is before the cure.
    expect(markup).toContain(
      '<p>Only 2 shares are free.</p><p><b>At most 2 shares would pass.</b> To order them, say so in the conversation.</p>',
    );
  });

  test.each([
    ['live', '<span class="badge live">LIVE · Real money</span>'],
    ['demo', '<span class="badge ">DEMO</span>'],
    ['sandbox', '<span class="badge ">SANDBOX</span>'],
    ['staging', '<span class="badge live">STAGING · Treat this as real money</span>'],
  ])('an order in the environment %s has its mark in the head, as on the pages', (env, badge) => {
    const simulated = env === 'sandbox';
    for (const markup of [
      order({ ...ticket, env, simulated }, '2026-03-16T09:30:23Z'),
      draft({ ...plan, env, simulated }),
    ]) {
      expect(/<div class="head">[\s\S]*?<\/div>/.exec(markup)?.[0]).toContain(badge);
      expect(markup.match(/class="badge/g)).toHaveLength(1);
    }
    expect(order({ ...ticket, env: undefined }, '2026-03-16T09:30:23Z')).not.toContain('class="badge');
  });

  test.each([
    ['pending_approval', undefined, true],
    ['placed', undefined, true],
    ['unknown', undefined, true],
    ['refused', 'cash', false],
    ['rejected', undefined, false],
    ['declined', undefined, false],
    ['expired', undefined, false],
    ['not_sent', undefined, false],
    [undefined, 'cash', false],
    [undefined, undefined, true],
  ])('an order that is %s, by the rule %s, has the cash after it: %s', (outcome, rule, hasCash) => {
    const markup = order({ ...ticket, outcome, rule, cash: { after: '19210.10' } }, '2026-03-16T09:30:23Z');
    expect(markup.includes('£19,210.10')).toBe(hasCash);
  });

  test.each([
    ['pending_approval', 'said'],
    ['placed', 'said'],
    ['refused', undefined],
    ['rejected', undefined],
  ])('the warnings of an order that is %s are the list %s', (outcome, list) => {
    const markup = order({ ...ticket, outcome }, '2026-03-16T09:30:23Z');
    expect(/<ul class="(\w+)" aria-label="Warnings">/.exec(markup)?.[1]).toBe(list);
  });

  test('what a placed order waits for is beside what became of it', () => {
    const state = (status?: string) =>
      order({ ...ticket, outcome: 'placed', status, approval: undefined }, '2026-03-16T09:30:23Z').split('<h3>')[0];
    expect(state('NEW')).toContain('aria-label="Warnings"');
    // Without a status of the broker it is not known that the order waits.
    expect(state()).not.toContain('aria-label="Warnings"');
  });

  test.each([
    ['rejected', 'The broker rejected the order (400).', 'No order exists.'],
    ['declined', 'It costs too much.', 'Nothing was sent.'],
  ])('an order that is %s with a reason says what follows in one sentence', (outcome, reason, end) => {
    const markup = order({ ...ticket, outcome, reason, approval: undefined }, '2026-03-16T09:30:23Z');
    expect(markup).toContain(`</p>\n<p>${reason}</p><p>${end}</p></div>`);
    // Without a reason the sentence has both.
    const bare = order({ ...ticket, outcome, reason: undefined, approval: undefined }, '2026-03-16T09:30:23Z');
    expect(bare).toContain(`</p>\n<p>${orderSentences[outcome as keyof typeof orderSentences]}</p></div>`);
  });

  test('the number of a placed order is beside its title', () => {
    const placed = { ...ticket, outcome: 'placed', approval: undefined, orderId: '50023504323' };
    const markup = order(placed, '2026-03-16T09:30:23Z');
    expect(markup).toContain('<p class="title">Placed <small>order 50023504323</small></p>');
    expect(markup.split('50023504323')).toHaveLength(2);
  });

  test.each([
    ['NEW', 'Waiting to be filled', true],
    ['PARTIALLY_FILLED', 'Partly filled', true],
    ['CANCELLING', 'Being cancelled', false],
    ['FILLED', 'Filled', false],
    ['SOMETHING_ELSE', 'Something else', false],
  ])('the status %s of the broker is %s; that it can be cancelled is said: %s', (status, words, isPending) => {
    const placed = { ...ticket, outcome: 'placed', approval: undefined, status };
    const markup = order(placed, '2026-03-16T09:30:23Z');
    expect(markup).toContain(`<p class="title">Placed, ${words.toLowerCase()}</p>`);
    expect(markup.includes('<p>To cancel it, say so in the conversation.</p>')).toBe(isPending);
    expect(markup.includes('<p>The broker accepted the order.</p>')).toBe(!isPending);
    expect(markup).not.toContain('<dt>Status</dt>');
    // An order that is read by its id has it as its title.
    expect(order({ ...placed, outcome: undefined }, '2026-03-16T09:30:23Z')).toContain(`<p class="title">${words}</p>`);
  });

  test('a repeated call says first that nothing new was sent', () => {
    const again = { ...ticket, outcome: 'placed', approval: undefined, coalesced: true, orderId: '50023504323' };
    expect(order(again, '2026-03-16T09:30:23Z')).toContain(
      '<p class="title">Placed</p>\n<p>Nothing new was sent: this is the earlier order 50023504323.</p></div>',
    );
  });
});

describe('a draft', () => {
  test('has an axis of weights that begins near the smallest one, and its legend above', () => {
    const weights = {
      columns: ['ticker', 'percentBefore', 'percentTarget', 'percentAfter'],
      rows: [
        ['A', '30', '20', '20.5'],
        ['B', '22', null, null],
      ],
    };
    const markup = draft({ ...plan, weights });
    const axis = /<div class="drawing w680">[\s\S]*?<\/g>/.exec(markup)?.[0].match(/[\d.]+(?=%<)/g);
    // Steps of 5 hold 20 to 30; an unknown weight is not a weight of 0.
    expect(axis).toEqual(['20', '25', '30']);
    expect(markup.indexOf('class="legend"')).toBeLessThan(markup.indexOf('class="drawing'));
  });

  test('shows each weight before and after as dots on one scale, and the target as a line', () => {
    const markup = draft(plan);
    for (const width of [340, 480, 680]) expect(marksIn(markup, width)).toHaveLength(6);
    const [first = '', , , , , last = ''] = marksIn(markup);
    expect(first).toContain('aria-label="GEQW: before 51.4%, target 45.0%, after 45.0%, value £9,500.00 to £8,550.00"');
    const [before = '', after = ''] = [...first.matchAll(/<circle[^>]*>/g)].map(String);
    const [, x = ''] = /<line class="target" x1="([^"]*)"/.exec(first) ?? [];
    expect(attribute(after, 'cx')).toBe(Number(x));
    // Distances on the axis are in the ratio of the percentages.
    const zero = Number(/<line class="zero" x1="([^"]*)"/.exec(svgOf(markup, 680))?.[1]);
    expect((attribute(before, 'cx') - zero) / (attribute(after, 'cx') - zero)).toBeCloseTo(51.3514 / 45, 3);
    expect(last).toContain('before unknown, target 2.0%, after unknown, value unknown to unknown');
    expect(last).not.toContain('<circle');
  });

  test('shows the orders with their estimates, charges and checks, and says what is unknown', () => {
    const markup = draft(plan);
    for (const text of [
      '<span class="soft">1.</span><div>\n<p><b class="name"><span class="side ">SELL</span> 10 × HLDN</b></p>\n<p class="soft">Market · Currency conversion fee £2.25 · <span class="loss">realises −£88.20</span></p>',
      // Own fills show that it has no charges.
      '<b class="name"><span class="side ">SELL</span> 7.25 × GEQW</b></p>\n<p class="soft">Market',
      '<b class="name"><span class="side buy">BUY</span> 452.8 × QBRAM</b></p>\n<p class="soft">Limit 320.25p (£3.2025), after the sells · charges unknown</p>',
      '<p class="refusal">Refused now: the value per order. Up to 5.5 shares would pass.</p>',
      '<p class="soft">Its price was assumed.</p>',
      '<p class="worth"><b>£1,500.00</b></p>',
      '<dt>Charges, at least</dt><dd class="">£9.94 <small>not all are known</small></dd>',
      '<dt>Cash before</dt><dd class="">£1,204.77</dd>',
      '<dt>Cash after</dt><dd class="">£694.83</dd>',
      '<dt>Of the amount, not spent</dt><dd class="">£12.34</dd>',
      'class="number sum loss" data-label="Gain or loss" data-key="-88.20">−£88.20<',
      'class="number sum" data-label="Gain or loss" data-key="">unknown<',
      'Realised 2025/26: +£395.72 → unknown with these sells',
      '>Below minimum</td>',
      '>No price</td>',
    ])
      expect(markup).toContain(text);
    expect(draft({ ...plan, chargesKnown: true })).toContain('<dt>Estimated charges</dt>');
    const year = { yearSince: '2025-04-06', yearGainBefore: '395.72', yearGainAfter: '400.00' };
    expect(draft({ ...plan, realisedGain: year })).toContain('Realised since 6 Apr 2025: +£395.72');
  });

  test('names an instrument, and its symbol is with the terms of the order', () => {
    const markup = draft({ ...plan, names: { QBRAMl_EQ: 'Quarry & Bramble' } });
    for (const text of [
      '452.8 × Quarry &amp; Bramble</b></p>\n<p class="soft">QBRAM · Limit 320.25p (£3.2025), after the sells · charges unknown</p>',
      '7.25 × GEQW</b></p>\n<p class="soft">Market</p>',
    ])
      expect(markup).toContain(text);
  });

  test('says that nothing was sent, when it expires, and how a person reviews it', () => {
    const markup = draft(plan);
    for (const text of [
      '<p class="title">Nothing has been sent.</p>',
      '<span class="soft">As of 16 Mar 09:30</span>',
      '<p class="soft">Version 1, expires 23 Mar</p>',
      drawCommand('brokerage-mcp drafts show 05075002cc6b24c4 --page').markup,
      drawCommand('brokerage-mcp drafts submit 05075002cc6b24c4').markup,
    ])
      expect(markup).toContain(text);
    expect(markup).not.toMatch(/<(a|form|input)\b/);
    // The time is said when it is near.
    expect(draft(plan, '2026-03-21T09:30:00Z')).toContain('<p class="soft">Version 1, expires 23 Mar</p>');
    expect(draft(plan, '2026-03-21T09:30:01Z')).toContain('<p class="soft">Version 1, expires 23 Mar 09:30</p>');
    const late = draft(plan, '2026-03-23T09:30:00Z');
    expect(late).toContain('<p class="soft">Version 1, expired 23 Mar 09:30</p>');
    expect(late).toContain('The draft has expired and cannot be sent.');
    expect(late).not.toContain('<span>drafts</span>');
  });

  test('of a plan without orders says that there is no draft', () => {
    const { draftId: _, version: __, expiresAt: ___, ...rest } = plan;
    const markup = draft({ ...rest, rows: [] });
    expect(markup).toContain('no draft was made');
    expect(markup).not.toContain('<span>drafts</span>');
  });

  test('that was submitted shows what became of each order, and what cannot be summed', () => {
    const markup = draft(stoppedDraft);
    for (const text of [
      '<div class="state bad"><p class="title">Stopped</p>',
      '<p>Order 2 was rejected.</p>',
      '<p>Orders that had not left were not sent. Orders that were placed stay.</p>',
      '<p>Version 2 of the draft has the orders that were not sent.</p>',
      '<summary>What became of version 1</summary>',
      '<b class="name"><span class="side ">SELL</span> 7.25 × GEQW</b>',
      '<span class="badge good">Placed</span> <small>Order 50023569439</small>',
      '<span class="badge bad">Rejected by the broker</span> <small>Too many decimals.</small>',
      '<span class="badge calm">Not sent</span>',
      'Orders of unknown or assumed value, in no sum: 1.',
      '<dt>Buys</dt><dd class="">at least £1,450.07</dd>',
      'The cash does not cover the buys.',
      'Stop limit, stop 318.50p (£3.185), limit 320.25p (£3.2025), until it is cancelled',
      '<span>drafts</span> <span>submit</span>',
    ])
      expect(markup).toContain(text);
    expect(markup).not.toContain('Nothing has been sent.');
    const sending = { ...stoppedDraft, state: 'sending', totals: undefined };
    expect(draft(sending)).not.toContain('<span>drafts</span>');
    expect(draft(sending)).toContain('Not checked');
  });

  test.each([
    ['passes', { passes: true }, {}, '2 orders, all checks passed'],
    ['is not checked', {}, {}, '2 orders, not checked'],
    ['is refused', { passes: true }, { refused: { rule: 'halted' } }, '2 orders, the draft is refused'],
  ])('of which each order %s says so once, above the orders', (_, each, more, caption) => {
    const items = [
      { leg: 1, side: 'BUY', quantity: '1', ticker: 'A_US_EQ', ...each },
      { leg: 2, side: 'SELL', quantity: '2', ticker: 'B_US_EQ', ...each },
    ];
    const markup = draft({ draftId: plan.draftId, ...more, items });
    expect(markup).toContain(`<h3>${caption}</h3>`);
    expect(markup).not.toMatch(/Not checked|Refused now/);
  });

  test('says a warning of several orders once', () => {
    const at = plan.columns.length;
    const rows = plan.rows.map((row, index) => [
      ...row,
      index < 2 ? ['The market is closed.'] : ['Own.'].slice(index - 2),
    ]);
    const markup = draft({ ...plan, columns: [...plan.columns, 'warnings'], rows });
    expect(rows[0]?.[at]).toEqual(['The market is closed.']);
    expect(markup.match(/The market is closed/g)).toHaveLength(1);
    expect(markup).toContain('<li>Orders 1 and 2: The market is closed.</li>');
    expect(markup).toContain('Own.');
    // What asks for no attention is no warning.
    const pence = 'Prices of this instrument are in pence (GBX).';
    const priced = draft({
      ...plan,
      columns: [...plan.columns, 'warnings'],
      rows: rows.map((row) => row.with(at, [pence])),
    });
    expect(priced).toContain(`<ul class="soft"><li>All orders: ${pence}</li></ul>`);
    expect(priced).not.toContain('class="cares"');
  });

  const totals = { currency: 'GBP', bought: '100.10', sold: '20.00', cash: '500.00', unknownValues: 0 };
  test.each([
    ['open', 0, '<dt>Cash if all are filled</dt><dd class="">£419.90 <small>before charges</small></dd>'],
    ['pending_approval', 0, '<dt>Cash if all are filled</dt><dd class="">£419.90 <small>before charges</small></dd>'],
    ['sending', 0, '<dt>Cash now</dt><dd class="">£500.00</dd>'],
    ['open', 1, '<dt>Cash now</dt><dd class="">£500.00</dd>'],
  ])('that is %s, with %i values unknown, has the cash that is sure', (state, unknownValues, said) => {
    const kept = { draftId: plan.draftId, version: 1, state, totals: { ...totals, unknownValues }, complete: true };
    // 500.00 − 100.10 + 20.00
    expect(draft({ ...kept, columns: [], rows: [] })).toContain(said);
  });

  test('of known values does not call its sums lower bounds', () => {
    expect(draft({ ...stoppedDraft, totals: { ...stoppedDraft.totals, unknownValues: 0 } })).not.toContain('at least');
    expect(draft({ ...plan, chargesKnown: true })).not.toContain('at least');
  });

  const refused = { rule: 'orders_per_hour', leg: 3, reason: 'At most 2 an hour.', next: 'Wait an hour.' };

  test.each([
    ['a plan', { ...plan, refused }],
    ['a kept draft', { ...stoppedDraft, refused }],
  ])('that would be refused as a whole says so instead of how to send it: %s', (_, answer) => {
    const markup = draft(answer);
    for (const text of [
      '<div class="state bad"><p class="title">It would be refused now</p>',
      '<p>Order 3: At most 2 an hour.</p>',
      drawCommand('brokerage-mcp drafts show 05075002cc6b24c4 --page').markup,
    ])
      expect(markup).toContain(text);
    expect(markup).not.toContain('Wait an hour.');
    expect(markup).not.toContain('Refused: order');
    expect(markup).not.toContain('<span>submit</span>');
    expect(markup).not.toContain('checks<');
    expect(draft({ ...plan, refused: undefined })).toContain('<h3>4 orders, 3 of them passed all checks</h3>');
  });

  test('whose process has ended says that no process is sending it, and which order is leaving', () => {
    const [first, ...others] = stoppedDraft.submission.legs;
    const legs = [{ ...first, outcome: 'unknown', orderId: undefined, inFlight: true }, ...others];
    const submission = { ...stoppedDraft.submission, outcome: 'sending', legs };
    const sending = { ...stoppedDraft, state: 'sending', submission };
    expect(draft(sending)).toContain('<p class="title">Being sent</p>');
    expect(draft(sending)).toContain('>Being sent now');
    expect(draft(sending)).not.toContain('Unknown: the order may be live');
    const gone = draft({ ...sending, submission: { ...submission, sender: 'gone' } });
    expect(gone).toContain('<div class="state bad"><p class="title">No process is sending it now</p>');
    expect(gone).not.toContain('<p class="title">Being sent</p>');
  });
});

describe('a draft that was submitted as it is shown', () => {
  const items = [
    { leg: 1, side: 'SELL', quantity: '10', ticker: 'HLDN_US_EQ', value: '1500.00' },
    { leg: 2, side: 'BUY', quantity: '1', ticker: 'GEQWl_EQ', value: '20.00' },
  ];
  const legs = [
    { leg: 1, order: 'SELL 10 HLDN_US_EQ', outcome: 'placed', orderId: '77' },
    { leg: 2, order: 'BUY 1 GEQWl_EQ', outcome: 'unknown', inFlight: true },
  ];
  const attempt = (outcome: string) => ({ draftId: plan.draftId, version: 2, outcome, legs });

  test('has each order once, with what became of it', () => {
    const markup = draft({
      draftId: plan.draftId,
      version: 2,
      state: 'sending',
      submission: attempt('sending'),
      items,
    });
    expect(markup.match(/HLDN/g)).toHaveLength(1);
    expect(markup).toContain('<span class="badge good">Placed</span> <small>Order 77</small>');
    expect(markup).toContain('<span class="badge calm">Being sent now</span>');
    expect(markup).not.toContain('What became of');
    // It is not checked any more, which says nothing here.
    expect(markup).toContain('<h3>2 orders</h3>');
  });

  test('has no value of an order of which it is unknown, and no end of a draft that was sent', () => {
    const sent = { draftId: plan.draftId, version: 2, expiresAt: plan.expiresAt, state: 'sent' };
    const rows = items.map((item) => ({ ...item, value: item.leg === 1 ? item.value : null }));
    const markup = draft({ ...sent, submission: attempt('done'), items: rows });
    expect([...markup.matchAll(/<p class="worth">(.*?)<\/p>/g)].map(([, worth]) => worth)).toEqual([
      '<b>1,500.00</b>',
      '',
    ]);
    expect(markup).toContain('<p class="soft">Version 2</p>');
    // Before it is sent, an unknown value is said.
    const open = draft({ ...sent, state: 'open', items: rows });
    expect(open).toContain('<p class="worth"><b>unknown</b></p>');
    expect(open).toContain('<p class="soft">Version 2, expires 23 Mar</p>');
  });

  test('keeps the checks of its orders where it can be sent again', () => {
    const checked = items.map((item) => ({ ...item, passes: true }));
    const declined = { ...attempt('declined'), legs: legs.map((leg) => ({ ...leg, outcome: 'declined' })) };
    const open = { draftId: plan.draftId, version: 2, state: 'open', submission: declined };
    expect(draft({ ...open, items: checked })).toContain('<h3>2 orders, all checks passed</h3>');
    const refused = checked.map((item) => (item.leg === 2 ? { ...item, passes: false, rule: 'cash' } : item));
    expect(draft({ ...open, items: refused })).toContain('<p class="refusal">Refused now: not enough cash.</p>');
  });

  test('counts its orders where the result has the attempt alone, and it waits', () => {
    expect(draft(attempt('pending_approval'))).toContain('<h3>2 orders</h3>');
  });

  test('has its orders where the result has the attempt alone', () => {
    const markup = draft(attempt('done'));
    expect(markup).toContain('<div class="state good"><p class="title">Sent</p>');
    expect(markup).toContain('<h3>2 orders</h3>');
    expect(markup).toContain('<b class="name"><span class="side buy">BUY</span> 1 × GEQW</b>');
  });

  test('says nothing of its orders while it waits for approval', () => {
    const markup = draft({
      draftId: plan.draftId,
      version: 2,
      state: 'pending_approval',
      submission: attempt('pending_approval'),
      items,
    });
    expect(markup).toContain('<div class="state care"><p class="title">Waiting for approval</p>');
    expect(markup).not.toMatch(/Placed|Being sent/);
  });
});

describe('the open drafts', () => {
  const [plain, both, unknown] = ['0000000000000001', '0000000000000002', '0000000000000003'] as const;
  const list = {
    drafts: 3,
    draftValues: {
      [plain]: { buys: {}, sells: { GBP: '2000.00' } },
      [both]: { buys: { GBP: '812.40', USD: '310.00' }, sells: { GBP: '300.00' } },
    },
    columns: ['draftId', 'name', 'version', 'state', 'legs', 'changedAt', 'expiresAt'],
    rows: [
      [plain, 'Raise 2000.00 GBP', 1, 'open', 1, '2026-03-14T09:30:00Z', '2026-03-23T09:30:00Z'],
      [both, '2 buys and 1 sell', 1, 'pending_approval', 3, '2026-03-16T09:30:00Z', '2026-03-23T09:30:00Z'],
      [unknown, 'March', 2, 'sending', 2, '2026-03-15T09:30:00Z', '2026-03-23T09:30:00Z'],
    ],
  };

  test('are counted, with those that wait, and what all of them buy and sell where that is known', () => {
    const draftTotals = { buys: { GBP: '1050.10' }, sells: { GBP: '2300.00' } };
    const markup = draft({ ...list, draftTotals });
    expect(markup).toContain('<p class="soft">3 drafts, 1 waiting for approval</p>');
    expect(markup).toContain('<p class="soft">All 3 drafts: £1,050.10 to buy, £2,300.00 to sell.</p>');
    expect(draft(list)).not.toMatch(/All \d drafts/);
    const alone = { ...list, draftTotals, drafts: 1, rows: list.rows.slice(0, 1) };
    expect(draft(alone)).toContain('<p class="soft">1 draft, none waiting for approval</p>');
    expect(draft(alone)).not.toMatch(/All \d drafts/);
  });

  test('are listed newest first, and those that wait for a person before all others, with the command that approves', () => {
    const rows = list.rows.map((row) => (row[0] === plain ? row.with(5, '2026-03-17T09:30:00Z') : row));
    const markup = draft({ ...list, rows });
    expect([...markup.matchAll(/<li(?: class="care")?><div><p><b>([^<]*)<\/b>/g)].map(([, name]) => name)).toEqual([
      '2 buys and 1 sell',
      'Raise £2,000.00',
      'March',
    ]);
    const command = drawCommand(`brokerage-mcp drafts submit ${both}`).markup;
    expect(markup.split(/<li(?: class="care")?><div>/).map((row) => row.includes(command))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test('end at a day of the zone of the reader, and one that is over says so', () => {
    const rows = list.rows.map((row) => row.with(6, '2026-03-22T23:30:00Z').with(3, 'expired'));
    expect(draft({ ...list, rows })).toContain(
      '<p class="soft"><span class="badge calm">Expired</span> <span>3 orders, expired 22 Mar</span></p>',
    );
    const abroad = { ...look, timeZone: 'Europe/Athens', now: Date.parse('2026-03-16T09:30:23Z') };
    const model = readDraft({ ...list, rows }) as DraftModel;
    expect(drawDraft(model, abroad).markup).toContain('</span> <span>3 orders, expired 23 Mar</span></p>');
  });

  test('that have expired stay calm, and open ones too', () => {
    const rows = list.rows.map((row) => row.with(3, 'expired'));
    expect(draft({ ...list, rows }).match(/<span class="badge \w*">Expired/g)).toEqual(
      Array(3).fill('<span class="badge calm">Expired'),
    );
  });

  test('are listed newest first', () => {
    const names = [...draft(list).matchAll(/<li(?: class="care")?><div><p><b>([^<]*)<\/b>/g)].map(([, name]) => name);
    expect(names).toEqual(['2 buys and 1 sell', 'March', 'Raise £2,000.00']);
  });

  test('have their values, of which nothing is converted here, and an unknown one is said', () => {
    const markup = draft(list);
    for (const text of [
      '<p class="worth"> <span><b>£2,000.00</b> <small>to sell</small></span></p>',
      '<p class="worth"><span><b>£812.40 + US$310.00</b> <small>to buy</small></span> <span><b>£300.00</b> <small>to sell</small></span></p>',
      '<p class="worth"><small>value unknown</small></p>',
      '<span class="badge care">Waiting for approval</span> <span>3 orders</span></p>',
    ])
      expect(markup).toContain(text);
  });

  test.each([
    [
      'http://127.0.0.1:41703/t/x',
      '<p class="way">Approve it on its page, on the computer that runs the server.</p><p><a class="act" href="http://127.0.0.1:41703/t/x">Open the approval page</a></p><details><summary>Other ways to approve it</summary>',
    ],
    [
      'https://broker.example/t/x',
      '<p>Approve it on its page: <code>https://broker.example/t/x</code></p><details><summary>In a terminal</summary><p><code class="command">',
    ],
    [undefined, `<p>Approve it in a terminal: ${drawCommand(`brokerage-mcp drafts submit ${both}`).markup}</p>`],
  ])('one that waits has how it is approved, and until when: %s', (address, said) => {
    const draftApprovals = { [both]: { address, expiresAt: '2026-03-16T09:32:00Z' } };
    const markup = draft({ ...list, draftApprovals });
    expect(markup).toContain(said);
    expect(markup).toMatch(/<span>3 orders, <b>until 16 Mar \d\d:32<\/b><\/span>/);
  });

  test('have their states in words and colours, and their ids behind a summary', () => {
    const markup = draft(list);
    for (const text of [
      '<span class="badge calm">Open</span>',
      '<span class="badge care">Waiting for approval</span>',
      '<span class="badge busy">Being sent</span>',
      `<summary>Ids and commands</summary><ul class="soft"><li>2 buys and 1 sell: ${drawCommand(`brokerage-mcp drafts show ${both} --page`).markup}</li>`,
    ])
      expect(markup).toContain(text);
    expect(markup.match(/000000000000000/g)).toHaveLength(4);
  });
});

describe('a recurring plan', () => {
  const targetAmounts = { [recurringPlan.planId]: { GEQWl_EQ: '300.00', HLDN_US_EQ: '200.00' } };

  test('is shown with its next day, its amount and what it buys, and that it sends nothing', () => {
    const markup = draft({ ...recurringPlan, targetAmounts });
    for (const text of [
      '>Invest £500.00 in 2 instruments</h2>',
      '<p class="soft">Monthly on the 1st</p>',
      '<div class="state calm"><p class="title">Next draft 1 Apr</p>\n<p>The plan makes a draft for you to check, and sends nothing.</p>',
      drawCommand('brokerage-mcp plans remove 0123456789abcdef').markup,
      '<h3>What it buys, by target weight</h3><p class="soft">Holdings below their target get more.</p><ol',
      '<b class="name">Global Equity Fund</b> <small>GEQW</small></p>',
      '<b class="name">HLDN</b></p>',
      '<p class="worth"><b>60.0%</b><span class="soft">about £300.00</span></p>',
    ])
      expect(markup).toContain(text);
    expect(findModelText(markup)).toEqual([]);
  });

  test('has its amount as a figure where its name, which a person gave, lacks it', () => {
    const figure = '<dl class="main"><div><dt>Invests each time</dt><dd class="">£500.00</dd></div></dl>';
    expect(draft({ ...recurringPlan, name: 'Savings' })).toContain(figure);
    expect(draft(recurringPlan)).not.toContain('Invests each time');
  });

  test('without a draft on its last day begins with the reason', () => {
    const last = { lastOn: '2026-03-06', lastProblem: 'The amount is too small.' };
    expect(draft({ ...recurringPlan, ...last })).toContain(
      '<div class="state care"><p class="title">No draft on 6 Mar</p>\n<p>The amount is too small.</p><p>The next try is on 1 Apr.</p>',
    );
  });

  test.each([
    ['amount_over_cash', ': not enough cash', ' It makes a draft if the cash is enough by then.'],
    ['amount_over_holdings', ': not enough to sell', ' It makes a draft if enough can be sold by then.'],
    ['nothing_to_order', ': nothing to order', ''],
    ['weights_over_100', '', ''],
  ])('without a draft for %s has its cause in the title, and its reason without a step', (code, title, cure) => {
    const last = { lastOn: '2026-03-06', lastProblem: 'Too small. Run a command.' };
    const planProblems = { [recurringPlan.planId]: { code, reason: 'Too small.' } };
    expect(draft({ ...recurringPlan, ...last, planProblems })).toContain(
      `<p class="title">No draft on 6 Mar${title}</p>\n<p>Too small.</p><p>The next try is on 1 Apr.${cure}</p>`,
    );
    const list = { drafts: 0, columns: ['draftId'], rows: [], plans: [{ ...recurringPlan, ...last }], planProblems };
    expect(draft(list)).toContain(`<span class="badge care">No draft${title}</span></p><p>Too small.</p>`);
  });

  test('that splits no amount has the weights alone', () => {
    const markup = draft({ ...recurringPlan, goal: 'rebalance' });
    expect(markup).toContain('<p class="worth"><b>60.0%</b></p>');
    expect(markup).toContain('<h3>Target weights</h3><ol');
  });

  test('without targets trades what is held, and without an account its day is unknown', () => {
    const markup = draft({ ...recurringPlan, targets: undefined, nextOn: undefined, currency: undefined });
    expect(markup).toContain('· buys what is held on that day</p>');
    expect(markup).toContain('<p class="title">Next draft unknown</p>');
    expect(markup).toContain('>Invest 500.00 in 2 instruments</h2>');
  });

  test('stands below the open drafts, with what came of its last day', () => {
    const last = { lastOn: '2026-03-06', lastProblem: 'The amount is too small.' };
    const weekly = { ...recurringPlan, planId: 'b', name: 'Savings', every: 'weekly on Friday', ...last };
    const list = {
      drafts: 0,
      names: recurringPlan.names,
      columns: ['draftId'],
      rows: [],
      plans: [recurringPlan, weekly],
      targetAmounts,
    };
    const markup = draft(list);
    for (const text of [
      'No draft is open.',
      '<h3>2 recurring plans</h3><p class="soft">Each makes a draft on its day, and sends nothing.</p>',
      '<b>Invest £500.00 in 2 instruments</b></p>\n<p class="soft">Monthly on the 1st, no draft yet</p>',
      '<details><summary>What it buys</summary><ul class="soft"><li>£300.00 Global Equity Fund</li><li>£200.00 HLDN</li></ul></details>',
      '<p class="soft">Weekly on Friday, last tried 6 Mar</p>\n<p><span class="badge care">No draft</span></p><p>The amount is too small.</p>',
      '<li>60.0% Global Equity Fund</li><li>40.0% HLDN</li>',
      '<small>next</small> <b>1 Apr</b>',
    ])
      expect(markup).toContain(text);
    expect(draft({ ...list, plans: undefined })).not.toContain('ecurring');
    // The next first, and one whose day is unknown last.
    const days = ['2026-04-09', undefined, '2026-04-02'].map((nextOn) => ({ ...weekly, nextOn }));
    const drawn = draft({ ...list, plans: days });
    expect([...drawn.matchAll(/<small>next<\/small> <b>([^<]*)/g)].map(([, day]) => day)).toEqual([
      '2 Apr',
      '9 Apr',
      'unknown',
    ]);
  });
});

describe('costs', () => {
  const draw = (answer: object) => drawCosts(readCosts({ ...answer }) as CostsModel, look).markup;

  test('are a sum, its part of what was traded, and a bar for each kind in words', () => {
    const markup = draw(costs);
    for (const text of [
      '<dl class="main"><div><dt>Charges and fees</dt><dd class="">£116.69</dd></div></dl>',
      '<dt>Of what was traded</dt><dd class="">0.2%</dd>',
      '<dt>Traded</dt><dd class="">£71,234.50</dd>',
      '<dt>In another currency</dt><dd class="">US$3.20</dd>',
      'aria-label="Stamp duty reserve tax: £43.19, 8 charges"',
    ])
      expect(markup).toContain(text);
    expect(markup).not.toMatch(/[A-Z]_[A-Z]/);
    // The axis is in pounds; the table has the dollars too.
    expect(marksIn(markup)).toHaveLength(3);
    expect(markup).toContain('>US$3.20</td>');
  });

  test('of an account without any say so, and why there is no percentage', () => {
    const reason = 'This range has no trades.';
    const none = { ...costs, total: '0.00', rows: [], percentOfTurnover: undefined, percentOfTurnoverReason: reason };
    expect(draw(none)).toContain('No charges in this period.');
    expect(draw(none)).toContain(`<p class="soft">${reason}</p>`);
  });
});

describe('a saved document', () => {
  const draw = (answer: object) => drawDocument(readDocument({ ...answer }) as DocumentModel, look).markup;

  test('is shown with the first screen of its report, the sums of the rest, and where the file is', () => {
    const markup = draw(savedReport);
    for (const text of [
      '>Portfolio report</h2>',
      '<p class="soft">The report is a page.</p>',
      '<p class="name">report.html</p>',
      '<code id="path" hidden>/home/ada/report.html</code>',
      '<a class="act" href="file:///home/ada/report.html">Open</a>',
      '<li>Dividends: Some are not read.</li>',
      '<dl class="main"><div><dt>Value now</dt><dd class="">£40,058.02</dd></div></dl>',
      '<dl class="beside"><div><dt>Gain on all money paid in</dt><dd class="gain">+£4,105.88</dd></div><div><dt>Yearly return (IRR)</dt><dd class="gain">+3.1%</dd></div></dl>',
      '<dt>Profit on what you hold</dt><dd class="gain">+£4,105.88</dd>',
      '<dt>Dividends</dt><dd class="">£362.89</dd>',
      '<dt>Realised gains and losses</dt><dd class="loss">−£395.72</dd>',
      '<dt>Charges and fees</dt><dd class="">£116.69</dd>',
    ])
      expect(markup).toContain(text);
    expect(findModelText(markup)).toEqual([]);
  });

  test('of which the host dropped the picture is its sentence', () => {
    const markup = draw({ ...savedReport, document: undefined });
    expect(markup).toContain('<p class="soft">Saved /home/ada/report.html. The report is a page.</p>');
    expect(markup).not.toContain('Also in the file');
  });

  test('of a tax year has its totals with the boxes of the form', () => {
    const columns = ['part', 'currency', 'disposals', 'proceeds', 'allowableCosts', 'gains', 'losses'];
    const figures = [['Net gain GBP', '100.00']];
    const section = { name: 'capital-gains-summary', title: 'Totals for form SA108', figures, columns };
    const row = ['year', 'GBP', 3, '900.00', '800.00', '150.00', '50.00'];
    const document = {
      title: 'UK tax year 2025/26',
      about: 'A page.',
      taxYear: '2025/26',
      currency: 'GBP',
      sections: [{ ...section, rows: [row] }],
    };
    const markup = draw({ ...savedReport, document });
    expect(markup).toContain('<dl class="main"><div><dt>Net gain</dt><dd class="gain">+£100.00</dd></div></dl>');
    expect(markup).toContain('<dt>Gains (box 26)</dt><dd class="">£150.00</dd>');
    expect(markup).toContain('<dt>Losses (box 27)</dt><dd class="">£50.00</dd>');
    expect(markup).toContain('<dt>Disposals (box 23)</dt><dd class="">3</dd>');
    // The form of another year can number its boxes differently.
    expect(markup).toContain('The box numbers are those of the forms for 2024/25. This is 2025/26');
    expect(draw({ ...savedReport, document: { ...document, taxYear: '2024/25' } })).not.toContain('box numbers');
    // The rates changed within the year: a table has each part.
    const parts = { ...section, rows: [row, ['before 2024-10-30', ...row.slice(1)]] };
    expect(draw({ ...savedReport, document: { ...document, sections: [parts] } })).toContain(
      '>Losses (box 27)</button>',
    );
  });

  test('is opened by a file address alone, and its path can be copied', () => {
    const markup = draw({ ...savedReport, uri: 'javascript:alert(1)' });
    expect(markup).not.toContain('href');
    expect(markup).toContain('<button class="act" type="button" id="copy">Copy path</button>');
    expect(draw({ ...savedReport, path: 'C:\\ada\\pack.html' })).toContain('<p class="name">pack.html</p>');
  });

  test('an answer without a path is no document', () => {
    expect(readDocument({ message: 'Hello.' })).toBeUndefined();
  });
});

describe('text from results', () => {
  test('is escaped everywhere', () => {
    const evil: HoldingRow = [hostile, hostile, '5.00', '100', '4.00', '1.00', '25', '0'];
    const drawn = [
      allocation(portfolioOf([evil], { note: hostile, currency: hostile, complete: false })),
      profitLoss(portfolioOf([evil], { currency: hostile })),
      income({ ...dividends, note: hostile, currency: hostile, rows: [[hostile, '1', hostile]] }),
      income({ columns: ['ticker', 'amount', 'count'], rows: [[hostile, '1', 1]] }),
      realised({ ...gains, method: hostile, taxYear: hostile, rows: [new Array(7).fill(hostile)], remarks: [hostile] }),
      order(
        {
          ...ticket,
          message: hostile,
          next: hostile,
          warnings: [hostile],
          request: { ...ticket.request, ticker: hostile, side: hostile, type: hostile, timeValidity: hostile },
          instrument: { name: hostile, currency: hostile },
          approval: { how: hostile, address: hostile, expiresAt: '2026-03-16T09:32:00Z' },
        },
        '2026-03-16T09:30:23Z',
      ),
      draft({
        ...plan,
        goal: hostile,
        draftId: hostile,
        currency: hostile,
        notes: [hostile],
        rows: [new Array(16).fill(hostile)],
        weights: { ...plan.weights, rows: [new Array(7).fill(hostile)] },
        dropped: { ...plan.dropped, rows: [new Array(4).fill(hostile)] },
        whatIf: { ...plan.whatIf, rows: [new Array(11).fill(hostile)] },
      }),
      draft({
        ...stoppedDraft,
        name: hostile,
        state: hostile,
        rows: [new Array(20).fill(hostile)],
        submission: { outcome: hostile, reason: hostile, rule: hostile, legs: [{ order: hostile, outcome: hostile }] },
      }),
      draft({ drafts: 1, columns: ['draftId', 'name', 'expiresAt'], rows: [[hostile, hostile, hostile]] }),
      draft({ planId: hostile, name: hostile, every: hostile, currency: hostile, targets: { [hostile]: '1' } }),
    ];
    for (const markup of drawn) {
      expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(markup).not.toMatch(/<img|<\/script/);
      // A quote in a name must not end an attribute.
      expect(markup).not.toContain('>"\'');
    }
  });

  test('the template trusts only its own output', () => {
    expect(html`<p title="${'"><b>'}">${[html`<i>${'<'}</i>`, undefined, false, 1.23456]}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;b&gt;"><i>&lt;</i>1.23</p>',
    );
  });
});

describe('a result with a part of the rows', () => {
  const cut = { nextCursor: 'abc', rowCount: 49 };

  test.each([
    ['holdings', allocation({ ...portfolio, ...cut }), 'Showing 10 of 49 rows.'],
    ['profits', profitLoss({ ...portfolio, ...cut }), 'Showing 10 of 49 rows.'],
    ['dividends', income({ ...dividends, ...cut }), 'Showing 12 of 49 rows.'],
    ['orders', draft({ ...stoppedDraft, ...cut }), 'Showing 2 of 49 orders.'],
    ['a list without a count', income({ ...dividends, nextCursor: 'abc' }), 'Showing 12 rows; there are more.'],
    ['the last page', income({ ...dividends, rowCount: 49 }), 'Showing 12 of 49 rows.'],
    [
      'the sales of a document',
      drawGains(readGains({ ...gains, ...cut }) as Gains, { ...look, isPart: true }).markup,
      'Showing 5 of 49 sales.',
    ],
  ])('says how many are drawn: %s', (_, markup, text) => {
    expect(markup).toContain(`<li>${text}</li>`);
  });

  test.each([
    [cut, '44 of 49 sales are not in this part; the sums include them. Ask for the others, or for one instrument.'],
    [
      { nextCursor: 'abc' },
      'More sales are not in this part; the sums include them. Ask for the others, or for one instrument.',
    ],
  ])('counts the sales that are missing below the sales, where nothing is folded: %o', (part, text) => {
    const markup = realised({ ...gains, ...part });
    expect(markup).toContain(`</table><p class="below">${text}</p>`);
    expect(markup).not.toContain('Showing');
  });

  test('says so of the lists beside the rows too', () => {
    const markup = realised({ ...gains, unmatchedCount: 21, tickers: 63, remarks: ['One.'], remarksCount: 31 });
    expect(markup).toContain('The cost of 21 rows is not known; totals exclude them. Showing 1 of them.');
    expect(markup).toContain('The 3 of 63 instruments with the largest gains or losses');
    expect(markup).toContain('<li>Remarks that are not shown: 30.</li>');
  });

  test('names the lists that the result shortens', () => {
    expect(realised({ ...gains, shortened: { byTicker: '12 of 49' } })).toContain(
      '<li>Shortened: by ticker, 12 of 49.</li>',
    );
  });

  test('a whole one says nothing of it', () => {
    expect(realised(gains)).not.toContain('Showing');
  });
});

test('a note has symbols for tickers and days for dates, and its command stays as it is', () => {
  const note =
    'Unknown: HLDN_US_EQ on 2025-04-06. Run brokerage-mcp cost-basis set --ticker HLDN_US_EQ, then see GEQWl_EQ.';
  expect(allocation(portfolioOf(holdings, { note }))).toContain(
    '<li>Unknown: HLDN on 6 Apr 2025. Run brokerage-mcp cost-basis set --ticker HLDN_US_EQ, then see GEQW.</li>',
  );
});

test('a report names what each part lacks, and nothing of a whole one', () => {
  const answers = {
    portfolio,
    dividends: { ...dividends, complete: false, note: 'Some are not read.' },
    gains: { ...gains, unmatchedCount: 2, checks: [{ name: 'Shares', residual: '2', holds: false }] },
    returns: { code: 'unreachable', message: 'The service cannot be reached.', next: 'Call again.' },
    costs: { columns: ['name'], rows: [['Tax']], nextCursor: 'x', rowCount: 3, checks: { passed: 4 } },
  };
  expect(listReportGaps(answers)).toEqual([
    'Dividends: Some are not read.',
    'Realised gains and losses: 2 trades are in no figure.',
    'Realised gains and losses: A check failed: Shares, off by 2.',
    'Returns: Missing: The service cannot be reached.',
    'Costs: Showing 1 of 3 rows.',
  ]);
  expect(listReportGaps({ portfolio, costs: { complete: true } })).toEqual([]);
  const page = buildReportPage({ title: 'R', madeAt: 0, answers });
  expect(page).toContain('<li>Returns: Missing: The service cannot be reached.</li>');
});
