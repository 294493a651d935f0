/** Lists beside the rows of a result: shortened to fit, and each one that lost items says so. */
import { expect, test } from 'vitest';
import { buildToolResult, fitFields } from '../../../src/core/mcp/tool-result.ts';

const texts = (count: number, length = 50) => Array.from({ length: count }, (_, n) => `${n}`.padEnd(length, '.'));
const table = (count: number) => ({ columns: ['text'], rows: texts(count).map((text) => [text]) });

test('fields that fit are unchanged', () => {
  const fields = { a: texts(3), b: { rows: texts(3) } };
  expect(fitFields(structuredClone(fields), 1_000)).toEqual(fields);
});

test('the longest list loses its last items first, and shorter ones keep theirs', () => {
  const fitted = fitFields({ name: 'x', remarks: texts(4), byTicker: table(50) }, 1_000);
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(1_000);
  expect(fitted.remarks).toHaveLength(4);
  const { rows } = fitted.byTicker as ReturnType<typeof table>;
  expect(rows).toEqual(table(50).rows.slice(0, rows.length));
  expect(fitted.shortened).toEqual({ byTicker: `${rows.length} of 50` });
});

test('no more items are removed than must be, and what has no items is left alone', () => {
  // With its comma an item has 101 characters, and what names the shortened list has 29.
  const fitted = fitFields({ none: null, a: texts(20, 98) }, 1_513);
  expect(fitted).toEqual({ none: null, a: texts(14, 98), shortened: { a: '14 of 20' } });
});

test('a list loses half of its items at most before another one that is longer then loses any', () => {
  const fitted = fitFields({ a: texts(20, 98), b: texts(20, 98) }, 3_050);
  expect(fitted.shortened).toEqual({ a: '10 of 20', b: '19 of 20' });
});

test('the longest list is the one with the most characters, wherever it stands', () => {
  const fitted = fitFields({ few: texts(4, 500), many: texts(15, 50) }, 2_500);
  expect(fitted.shortened).toEqual({ few: '3 of 4' });
});

test('a list inside an object is named with its path, and the columns of a table stay', () => {
  const fitted = fitFields({ projection: { method: 'm', ...table(60) }, cash: { parts: texts(60) } }, 600);
  expect(fitted).toMatchObject({ projection: { method: 'm', columns: ['text'] } });
  expect(Object.keys(fitted.shortened as object)).toEqual(['projection', 'cash.parts']);
});

test('the outcomes of legs are shortened last', () => {
  const fitted = fitFields({ warnings: texts(10), submission: { legs: texts(20) } }, 1_200);
  expect(fitted.submission).toEqual({ legs: texts(20) });
  expect(Object.keys(fitted.shortened as object)).toEqual(['warnings']);
});

test('a result without rows stays within the limit of hosts, whatever its lists contain', () => {
  const fields = { message: 'm', legs: texts(400), notes: texts(400) };
  const { text, body } = buildToolResult({ asOf: 0, fields }, 'demo');
  expect(text.length).toBeLessThanOrEqual(6_800);
  expect(Object.keys(body.shortened as object)).toEqual(['legs', 'notes']);
});

test('lists beside rows leave at least a third of a first page, and most of a later page, to the rows', () => {
  const rows = texts(300);
  const list = { columns: ['text'], rows: rows.map((text) => [text]), cursorAfter: (kept: number) => `after ${kept}` };
  const shownBy = (isContinued: boolean) => {
    const { text, body } = buildToolResult(
      { asOf: 0, fields: { byTicker: table(100), remarks: texts(100) }, list: { ...list, isContinued } },
      'demo',
    );
    expect(text.length).toBeLessThanOrEqual(6_800);
    const shown = (body.rows as unknown[]).length;
    expect(body).toMatchObject({ nextCursor: `after ${shown}` });
    return JSON.stringify(body.rows).length;
  };
  expect(shownBy(false)).toBeGreaterThan(6_800 / 3);
  expect(shownBy(true)).toBeGreaterThan((6_800 * 2) / 3);
});

test('a caller that writes a file gets everything', () => {
  const fields = { legs: texts(400) };
  expect(buildToolResult({ asOf: 0, fields }, 'demo', Number.POSITIVE_INFINITY).body).toMatchObject(fields);
});

test('fields and rows together stay within the limit of hosts, also where the rows alone would', () => {
  const rows = texts(50).map((text) => [text]);
  const list = { columns: ['text'], rows, cursorAfter: () => undefined };
  const { text, body } = buildToolResult({ asOf: 0, fields: { notes: texts(90) }, list }, 'demo');
  expect(text.length).toBeLessThanOrEqual(6_800);
  // Rows without a cursor cannot be read later, so the fields take two fifths at most.
  expect(JSON.stringify(body.rows).length).toBeGreaterThan(2_700);
  expect(body.rows).toHaveLength(50);
});

test('of rows without a cursor more are kept than of the fields beside them', () => {
  const rows = texts(300).map((text) => [text]);
  const list = { columns: ['text'], rows, cursorAfter: () => undefined };
  const { body } = buildToolResult({ asOf: 0, fields: { notes: texts(200) }, list }, 'demo');
  expect(JSON.stringify(body.rows).length).toBeGreaterThan(6_800 / 2);
  expect(body.note).toBe(`Only the first ${(body.rows as unknown[]).length} of 300 rows fit; request fewer rows.`);
});

test('the outcomes of legs are shortened last also where they are a field of the result', () => {
  const fitted = fitFields({ warnings: texts(10), legs: texts(20) }, 1_200);
  expect(fitted.legs).toEqual(texts(20));
  expect(Object.keys(fitted.shortened as object)).toEqual(['warnings']);
  const others = fitFields({ warnings: texts(5), legsOfOthers: texts(20) }, 1_200);
  expect(Object.keys(others.shortened as object)).toEqual(['legsOfOthers']);
});

test('fields of exactly the length that there is are unchanged, and one character less shortens them', () => {
  const fields = () => ({ a: texts(5, 98) });
  // With its quotes and comma an item has 101 characters, and what is around the list has 8, less the last comma.
  expect(fitFields(fields(), 512)).toEqual(fields());
  expect(fitFields(fields(), 511)).toMatchObject({ shortened: { a: '4 of 5' } });
});

test('the names of columns stay, and rows without columns are named as what they are', () => {
  const columns = texts(12);
  expect(fitFields({ columns, rows: [[1]], notes: texts(3) }, 700)).toMatchObject({ columns });
  const fitted = fitFields({ one: { rows: texts(30) } }, 600);
  expect(Object.keys(fitted.shortened as object)).toEqual(['one.rows']);
});
