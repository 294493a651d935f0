/** What a person may change in a draft: less, and stricter. */
import { expect, test } from 'vitest';
import type { DraftEdit } from '../../../../src/features/drafts/book/draft.ts';
import { applyEdit, editDraft } from '../../../../src/features/drafts/book/edit-draft.ts';
import { readDraft } from '../../../../src/features/drafts/book/find-draft.ts';
import { createDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import { leg, openBook } from './support.ts';

const buy = leg();
const sell = leg({ ticker: 'BBB_EQ', side: 'SELL' });
const market = leg({ type: 'MARKET', ticker: 'CCC_EQ', limitPrice: undefined, timeValidity: undefined });
const legs = [buy, sell, market];

test.each<[string, DraftEdit, readonly object[]]>([
  ['a leg removed', { kind: 'remove', leg: 2 }, [buy, market]],
  ['a lower quantity', { kind: 'quantity', leg: 1, quantity: '1.50' }, [{ ...buy, quantity: '1.5' }, sell, market]],
  [
    'a lower buy limit',
    { kind: 'limitPrice', leg: 1, limitPrice: '9.99' },
    [{ ...buy, limitPrice: '9.99' }, sell, market],
  ],
  [
    'a quantity with 10 decimals',
    { kind: 'quantity', leg: 1, quantity: '1.0000000001' },
    [{ ...buy, quantity: '1.0000000001' }, sell, market],
  ],
  [
    'a quantity with spaces around it, and with zeros after the 10 decimals',
    { kind: 'quantity', leg: 1, quantity: ' 1.00000000010 ' },
    [{ ...buy, quantity: '1.0000000001' }, sell, market],
  ],
  [
    'a higher sell limit',
    { kind: 'limitPrice', leg: 2, limitPrice: '10.01' },
    [buy, { ...sell, limitPrice: '10.01' }, market],
  ],
])('%s is accepted', (_, edit, expected) => {
  expect(applyEdit(legs, edit)).toEqual(expected);
});

test.each<[string, DraftEdit]>([
  ['a higher quantity', { kind: 'quantity', leg: 1, quantity: '2.0000000001' }],
  ['the same quantity', { kind: 'quantity', leg: 1, quantity: '2' }],
  ['a quantity of zero', { kind: 'quantity', leg: 1, quantity: '0' }],
  ['a negative quantity', { kind: 'quantity', leg: 1, quantity: '-1' }],
  ['a quantity that is no number', { kind: 'quantity', leg: 1, quantity: 'all' }],
  ['a quantity with 11 decimals', { kind: 'quantity', leg: 1, quantity: '1.00000000001' }],
  ['a higher buy limit', { kind: 'limitPrice', leg: 1, limitPrice: '10.01' }],
  ['a lower sell limit', { kind: 'limitPrice', leg: 2, limitPrice: '9.99' }],
  ['a limit for a market order', { kind: 'limitPrice', leg: 3, limitPrice: '1' }],
  ['a leg that does not exist', { kind: 'remove', leg: 4 }],
])('%s is refused', (_, edit) => {
  expect(() => applyEdit(legs, edit)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test.each(['30,5', '1.00000000001', 'all'])('a quantity of %s is refused with what is accepted', (quantity) => {
  expect(() => applyEdit(legs, { kind: 'quantity', leg: 1, quantity })).toThrow(
    expect.objectContaining({ next: expect.stringMatching(/30\.5, without a comma.* 10 decimals/) }),
  );
});

test('a leg is removed alone, also where others trade the same ticker', () => {
  const first = leg({ side: 'SELL', quantity: '1' });
  const second = leg({ side: 'SELL', quantity: '2' });
  expect(applyEdit([first, buy, second], { kind: 'remove', leg: 3 })).toEqual([first, buy]);
});

test('the only leg cannot be removed', () => {
  expect(() => applyEdit([buy], { kind: 'remove', leg: 1 })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});

test('an edit makes the next version, with its channel and what was changed', async () => {
  const { deps } = openBook();
  const { draftId } = await createDraft(deps, { legs, source: 'plan_orders' });
  const edit = { kind: 'remove', leg: 1 } as const;
  const saved = await editDraft(deps, { draftId, version: 1, edit, channel: 'terminal' });
  expect(saved).toMatchObject({ draftId, version: 2 });
  const { versions } = await readDraft(deps, draftId);
  expect(versions.map(({ version, channel }) => [version, channel])).toEqual([
    [1, 'tool'],
    [2, 'terminal'],
  ]);
  expect(versions[1]).toMatchObject({ edit, legs: [{ ticker: 'BBB_EQ' }, { ticker: 'CCC_EQ' }] });
});

test('an edit of an old version is refused', async () => {
  const { deps } = openBook();
  const { draftId } = await createDraft(deps, { legs, source: 'plan_orders' });
  const edit = (leg: number) =>
    editDraft(deps, { draftId, version: 1, edit: { kind: 'remove', leg }, channel: 'page' });
  await edit(1);
  await expect(edit(2)).rejects.toMatchObject({ code: 'draft_changed', facts: { version: 2 } });
});

const tooExact = 'was given a value with more than 10 decimals';

test.each<[string, DraftEdit, string, string]>([
  [
    'quantity that is too high',
    { kind: 'quantity', leg: 1, quantity: '3' },
    'Leg 1 is for 2 shares and can only be made smaller.',
    'Give a lower quantity.',
  ],
  [
    'buy limit that is too high',
    { kind: 'limitPrice', leg: 1, limitPrice: '10.01' },
    'Leg 1 has the limit price 10, which can only be made stricter.',
    'Give a lower limit price.',
  ],
  [
    'sell limit that is too low',
    { kind: 'limitPrice', leg: 2, limitPrice: '9.99' },
    'Leg 2 has the limit price 10, which can only be made stricter.',
    'Give a higher limit price.',
  ],
  [
    'limit for a market order',
    { kind: 'limitPrice', leg: 3, limitPrice: '1' },
    'Leg 3 is a market order without a limit price.',
    'Edit its quantity, or remove it.',
  ],
  ['leg that does not exist', { kind: 'remove', leg: 4 }, 'Leg 4 does not exist.', 'The draft has legs 1 to 3.'],
])('a %s is refused with what the draft has', (_, edit, message, next) => {
  expect(() => applyEdit(legs, edit)).toThrow(expect.objectContaining({ message, next }));
});

test.each([
  ['1.00000000001', tooExact],
  [' 1.00000000001 ', tooExact],
  ['-1.00000000001', 'was given a value that is not a number above 0'],
])('the quantity "%s" is refused for what is wrong with it', (quantity, said) => {
  expect(() => applyEdit(legs, { kind: 'quantity', leg: 2, quantity })).toThrow(`Leg 2 ${said}.`);
});
