import { expect, test } from 'vitest';
import { describeSharedText, findSharedTexts, separateShared } from '../../../src/core/text/shared-texts.ts';

test('a text of several orders is found once, with their numbers', () => {
  const shared = findSharedTexts([
    { number: 1, texts: ['Closed.', 'Pence.', 'Closed.'] },
    { number: 2, texts: ['Own.'] },
    { number: 3, texts: ['Closed.'] },
    { number: 4, texts: ['Pence.', 'Closed.'] },
  ]);
  expect(shared).toEqual([
    { text: 'Closed.', numbers: [1, 3, 4] },
    { text: 'Pence.', numbers: [1, 4] },
  ]);
  expect(shared.map((one) => describeSharedText(one, 4))).toEqual([
    'Orders 1, 3 and 4: Closed.',
    'Orders 1 and 4: Pence.',
  ]);
  expect(describeSharedText({ text: 'Closed.', numbers: [1, 2] }, 2)).toBe('All orders: Closed.');
});

test('shared texts are separated from those of one order', () => {
  expect(separateShared([['Closed.', 'Pence.'], ['Closed.'], []])).toEqual({
    shared: ['Orders 1 and 2: Closed.'],
    own: [['Pence.'], [], []],
  });
  expect(separateShared([['Closed.']])).toEqual({ shared: [], own: [['Closed.']] });
});
