/** The weights that a plan aims at, with the legs as a person left them. */
import { expect, test } from 'vitest';
import type { DraftChannel, DraftLeg, DraftVersion } from '../../../../src/features/drafts/book/draft.ts';
import { listDraftWeights } from '../../../../src/features/drafts/book/draft-plan.ts';
import { leg } from './support.ts';

/** At 10 a share and 500 in all, 4 shares are 8 percentage points and 2 are 4. */
const sell: DraftLeg = {
  ...leg({ side: 'SELL', quantity: '4' }),
  weight: { before: '60', target: '52', after: '52', change: '-8' },
};
const buy: DraftLeg = {
  ...leg({ ticker: 'BBB_EQ', quantity: '2' }),
  weight: { before: '40', target: '44', after: '44', change: '4' },
};

const versions = (...all: readonly (readonly [DraftChannel, readonly DraftLeg[]])[]): DraftVersion[] =>
  all.map(([channel, legs], at) => ({ draftId: 'd', version: at + 1, createdAt: at, channel, legs }));

const after = (all: readonly DraftVersion[]) => listDraftWeights(all)?.map(({ ticker, after }) => [ticker, after]);

test('without an edit they are those of the plan', () => {
  expect(listDraftWeights(versions(['tool', [sell, buy]]))).toEqual([
    { ticker: 'AAA_EQ', before: '60', target: '52', after: '52' },
    { ticker: 'BBB_EQ', before: '40', target: '44', after: '44' },
  ]);
});

test('a leg that is a quarter of the planned one moves its weight a quarter of the way', () => {
  const edited = versions(['tool', [sell, buy]], ['page', [{ ...sell, quantity: '1' }, buy]]);
  expect(after(edited)).toEqual([
    ['AAA_EQ', '58'],
    ['BBB_EQ', '44'],
  ]);
});

test('a leg that was removed leaves its ticker where it was', () => {
  const edited = versions(['tool', [sell, buy]], ['terminal', [sell, { ...buy, quantity: '1' }]], ['page', [sell]]);
  expect(after(edited)).toEqual([
    ['AAA_EQ', '52'],
    ['BBB_EQ', '40'],
  ]);
});

test('legs that no plan computed have none, and neither has a draft of which some legs were sent', () => {
  expect(listDraftWeights(versions(['tool', [sell, leg({ ticker: 'CCC_EQ' })]]))).toBeUndefined();
  expect(listDraftWeights(versions(['tool', [sell, buy]], ['submission', [buy]]))).toBeUndefined();
  expect(listDraftWeights(versions(['tool', [sell, buy]], ['page', [sell]], ['tool', [leg()]]))).toBeUndefined();
});

test('a plan that a tool saved after some legs were sent has its weights, and no version has none', () => {
  const again = versions(['tool', [sell, buy]], ['submission', [buy]], ['tool', [sell, buy]]);
  expect(after(again)).toEqual([
    ['AAA_EQ', '52'],
    ['BBB_EQ', '44'],
  ]);
  expect(listDraftWeights(versions(['tool', []]))).toBeUndefined();
  expect(listDraftWeights([])).toBeUndefined();
});
