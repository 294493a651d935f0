/** One step of an order: written once, by the process that saw the state before it. */
import { expect, test } from 'vitest';
import { applyTransition, ConcurrentUpdateError } from '../../../../src/core/orders/intent/journal-port.ts';
import { makeIntent, now, openJournal } from '../risk/example-account.ts';

const approved = makeIntent({ id: 'a', state: 'APPROVED' });

test('a step writes the state, its time and what belongs to it', async () => {
  const journal = await openJournal([approved]);
  const moved = await journal.change((tx) => applyTransition(tx, approved, 'commit', now, { sender: 'own' }));
  expect(moved).toMatchObject({ id: 'a', state: 'SENDING', changedAt: now, sender: 'own' });
  expect(await journal.read((tx) => tx.find('a'))).toEqual(moved);
});

test('a step from a state that another process has left is refused, and nothing is written', async () => {
  const stored = { ...approved, state: 'SENDING' } as const;
  const journal = await openJournal([stored]);
  await expect(journal.change((tx) => applyTransition(tx, approved, 'commit', now, {}))).rejects.toThrow(
    ConcurrentUpdateError,
  );
  expect(await journal.read((tx) => tx.find('a'))).toEqual(stored);
});
