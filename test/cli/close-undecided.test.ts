/** Which orders `resume` offers to close, and what it writes when the owner closes one. */
import { expect, test } from 'vitest';
import { closeUndecided } from '../../src/cli/resume.ts';
import { type IntentState, intentStates } from '../../src/core/orders/intent/states.ts';
import { openWorld, startAt } from '../core/orders/placing/world.ts';
import { makeIntent } from '../core/orders/risk/example-account.ts';
import { createTypedTty } from '../support/typed-tty.ts';

const hourMs = 3_600_000;

async function open(intents: readonly { id: string; state: IntentState; changedAt: number; reason?: string }[]) {
  const world = await openWorld();
  await world.insert(...intents.map((change) => makeIntent(change)));
  const resume = async (...typed: string[]) => {
    const { tty, lines, prompts } = createTypedTty(typed);
    await closeUndecided(tty, world.journal, world.clock);
    return { lines, prompts };
  };
  return { ...world, resume };
}

const close = '  Type close after checking the broker’s application, or press Enter to skip: ';

// order-safety: an order that was searched for in vain, or that could be several, is for the owner to decide.
test.each(intentStates)(
  'an order that has just become %s is offered when the program does not search it',
  async (state) => {
    const { resume } = await open([{ id: 'i', state, changedAt: startAt }]);
    const isOffered = state === 'AMBIGUOUS' || state === 'PROBABLY_ABSENT';
    expect((await resume('')).prompts).toEqual(isOffered ? [close] : []);
  },
);

test.each([
  [hourMs, []],
  [hourMs + 1, [close]],
])('an order that is unknown for %i ms is offered once recovery has had an hour', async (ms, prompts) => {
  const { resume } = await open([{ id: 'i', state: 'UNKNOWN', changedAt: startAt - ms }]);
  expect((await resume('')).prompts).toEqual(prompts);
});

test('each order is shown with its reason, and the one that the owner closes is closed now, by the owner', async () => {
  const { resume, find } = await open([
    { id: 'a', state: 'PROBABLY_ABSENT', changedAt: startAt - 1, reason: 'It was not found.' },
    { id: 'b', state: 'AMBIGUOUS', changedAt: startAt - 2 },
  ]);
  const before = await find('a');
  const { lines } = await resume('', 'close');
  expect(lines).toEqual([
    'sandbox PROBABLY_ABSENT: BUY 10 OTHER_EQ LIMIT (a)',
    '  It was not found.',
    'sandbox AMBIGUOUS: BUY 10 OTHER_EQ LIMIT (b)',
  ]);
  expect(await find('a')).toEqual(before);
  expect(await find('b')).toMatchObject({ state: 'CLOSED', changedAt: startAt, reason: 'Closed by the owner.' });
});

test('an order stays as it is when the owner types something else', async () => {
  const { resume, find } = await open([{ id: 'i', state: 'AMBIGUOUS', changedAt: startAt }]);
  const { lines } = await resume('closed', 'yes', 'no');
  expect(lines.slice(1)).toEqual(['Type close, or press Enter for no.', 'Type close, or press Enter for no.']);
  expect(await find('i')).toMatchObject({ state: 'AMBIGUOUS' });
});
