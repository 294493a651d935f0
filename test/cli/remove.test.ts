import { expect, test } from 'vitest';
import { listRemaining } from '../../src/cli/remove.ts';
import type { HostPlan } from '../../src/setup/hosts/plan.ts';

/** A plan that changes its file, or not. */
const planOf = (name: string, changes = true): HostPlan =>
  ({ host: { name }, work: { file: { text: '{}' }, edit: { text: changes ? '' : '{}' } } }) as HostPlan;

test('the keys are still used by a host that was not chosen, and by one whose file could not be written', () => {
  const [removed, failed, other, without] = [
    planOf('removed'),
    planOf('failed'),
    planOf('other'),
    planOf('without', false),
  ];
  const all = [removed, failed, other, without];
  const remaining = listRemaining(all, [removed, failed], [failed]);
  expect(remaining.map(({ host }) => host.name)).toEqual(['failed', 'other']);
  expect(listRemaining(all, [removed, failed, other], [])).toEqual([]);
});
