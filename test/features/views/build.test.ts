/** The built views and the report as documents: their size, their policy, and that they load nothing. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildPage } from '../../../src/features/views/page.ts';
import { buildReportPage } from '../../../src/features/views/report-page.ts';
import { costs, dividends, gains, hostile, portfolio, portfolioOf } from './answers.ts';
import { buildViews } from './fake-host.ts';

const views = await buildViews();
const report = (answers: object) =>
  buildReportPage({
    title: 'Report',
    madeAt: 1773653460000,
    answers: { ...answers },
    locale: 'en-GB',
    timeZone: 'UTC',
  });
const full = report({ portfolio, dividends, gains });

/** What a browser would run, computed from the document itself. */
function hashesOf(page: string, element: 'style' | 'script'): readonly string[] {
  return [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
}

/** The most that a page may weigh where it draws more than the others: a draft also plans. */
const kilobytes: Readonly<Record<string, number>> = { report: 120, draft: 55, document: 39, allocation: 41 };

describe.each([...Object.entries(views), ['report', full] as const])('%s', (name, page) => {
  test('allows its own style and scripts by hash, and nothing else at all', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashesOf(page, 'style').join(' ')}; script-src ${hashesOf(page, 'script').join(' ')}; base-uri 'none'; form-action 'none'`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
  });

  test('names no address to load from', () => {
    expect(page).not.toMatch(/\b(src|srcset|action)=|url\((?!#)|@import|https?:\/\//);
    // The approval page and the saved file of this computer, which the host opens.
    expect(page.match(/\bhref=/g)?.length).toBe(['ticket', 'draft', 'document'].includes(name) ? 1 : undefined);
  });

  test('uses nothing that the policy would block', () => {
    expect(page).not.toMatch(/ style="| on[a-z]+="|javascript:|\beval\(|new Function\(/);
  });

  test('is small', () => {
    const bytes = Buffer.byteLength(page);
    expect(bytes).toBeLessThanOrEqual((kilobytes[name] ?? 36) * 1024);
  });
});

test('the same sources give the same bytes', { tags: ['slow'] }, async () => {
  expect(await buildViews()).toEqual(views);
});

test('a script with a closing tag in its text stops the build', () => {
  expect(() =>
    buildPage({ title: 'x', look: 'view', main: { markup: '' }, scripts: ['const text = "</script>";'] }),
  ).toThrow('A script may not hold');
});

describe('the report', () => {
  test('holds the drawings with their figures, before any script has run', () => {
    for (const id of ['allocation', 'profit-loss', 'dividends', 'gains']) expect(full).toContain(`<section id="${id}"`);
    for (const text of ['£40,058.02', '+£2,784.31', 'December 2025: £83.64', '−£192.20', 'Made 16 Mar 2026, 09:31'])
      expect(full).toContain(text);
    expect(full.match(/<dt>(Total value|Profit on what you hold)<\/dt>/g)).toHaveLength(2);
    // Once, for all parts, and so is the time.
    expect(full.match(/class="badge[^"]*">SANDBOX/g)).toHaveLength(1);
    expect(full).not.toContain('>simulated<');
    expect(full).not.toContain('As of');
  });

  const returns = {
    ...{ currency: 'GBP', gain: '6499.84', value: '94796.29', moneyWeighted: {} },
    ...{ realised: '1135.33', dividends: '3609.72', interest: '961.37', accountFees: '58.68' },
  };
  const held = { ...portfolioOf([]), profitLoss: '852.10' };
  const read = (part: object, other: object = held) => report({ portfolio: other, returns: { ...returns, ...part } });

  test('begins with the value, the gain, and what made it, which adds up', () => {
    const page = read({});
    const [, sources = ''] = /<h3>What made the gain of \+£6,499\.84<\/h3>(<dl.*?<\/dl>)/s.exec(page) ?? [];
    expect([...sources.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*>([^<]*)/g)].map(([, ...pair]) => pair)).toEqual([
      ['On what you hold', '+£852.10'],
      ['Realised by sales', '+£1,135.33'],
      ['Dividends', '+£3,609.72'],
      ['Interest', '+£961.37'],
      ['Account fees', '−£58.68'],
    ]);
    expect(page.indexOf('>Value now<')).toBeLessThan(page.indexOf('>Gain on all money paid in<'));
    expect(page).not.toContain('<dt>Realised</dt>');
  });

  test.each([
    [{ interest: undefined }, held, 'What made the gain is not shown: interest is unknown.'],
    [
      {},
      { ...held, profitLoss: undefined },
      'What made the gain is not shown: the profit on what you hold is unknown.',
    ],
    // Of another currency, nothing can be added.
    [{}, { ...held, currency: 'USD' }, 'What made the gain is not shown: the profit on what you hold is unknown.'],
    [{ gain: '6499.85' }, held, 'What made the gain is not shown: £0.01 of it has no known source.'],
    [{ gain: '6499.83' }, held, 'What made the gain is not shown: its known parts add up to £0.01 more.'],
    [{ otherBookings: '-10.00' }, held, 'What made the gain is not shown: £10.00 of it has no known source.'],
  ])('says why it does not show what made the gain: %o', (part, other, text) => {
    const page = read(part, other);
    expect(page).toContain(text);
    expect(page).not.toContain('<h3>What made the gain');
  });

  test('shows no parts of the gain of a period, which the results do not have', () => {
    expect(read({ startValue: { value: '1.00' } })).not.toContain('What made the gain');
  });

  test('is read in later years, so each of its days has a year', () => {
    const page = read({
      values: [
        ['2026-01-01', '1.00'],
        ['2026-03-16', '2.00'],
      ],
    });
    expect(page).toContain('<p class="soft">1 Jan 2026 to 16 Mar 2026</p>');
  });

  test('has each id once', () => {
    const ids = [...full.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('leaves out what was not requested, and says so when that is everything', () => {
    expect(report({ gains })).not.toContain('id="allocation"');
    expect(report({})).toContain('This report is empty.');
  });

  test('an error takes the place of its drawing', () => {
    const page = report({
      portfolio,
      dividends: { code: 'timeout', message: 'It took too long.', next: 'Try again.' },
    });
    expect(page).toContain('It took too long.');
    // For the caller, who can do it.
    expect(page).not.toContain('Try again.');
    expect(page).toContain('id="allocation"');
    expect(page).not.toContain('id="dividends"');
  });

  test('a title and a name from outside are shown as text', () => {
    const page = buildReportPage({
      title: hostile,
      madeAt: 0,
      answers: {
        portfolio: portfolioOf([]),
        costs: { ...costs, currency: hostile, rows: [new Array(4).fill(hostile)] },
      },
    });
    expect(page).not.toContain('<img');
    expect(page.match(/<script>/g)).toHaveLength(1);
  });
});
