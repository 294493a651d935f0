/** Every order that left was approved, or asked for where no approval is required, and is exactly that order. */
import { differences } from '../order.ts';
import { allows, type Permission, permissionsFor, type Refusal } from '../permissions.ts';
import { describePost, type Post } from '../timeline.ts';
import type { Rule } from './rule.ts';

export const permitted: Rule = ({ timeline, permissions }) =>
  timeline.posts.flatMap((post) => {
    const { line, other } = post;
    const refusal = findRefusal(permissionsFor(timeline, permissions, post), post);
    const what = describePost(post);
    return [
      ...(refusal ? [{ rule: refusal.rule, line, text: `${what} left although ${refusal.why}.` }] : []),
      ...(other.length > 0
        ? [{ rule: 'differs', line, text: `${what} left with the fields ${other.join(', ')}.` }]
        : []),
    ];
  });

/** The refusal that comes nearest to a permission; undefined when there is one. */
function findRefusal(permissions: readonly Permission[], post: Post): Refusal | undefined {
  const fitting = permissions.filter((one) => allows(one, post));
  const refusals = fitting.map((one) => one.refusal(post));
  if (refusals.some((refusal) => refusal === undefined)) return undefined;
  return refusals.at(-1) ?? findDifference(permissions, post);
}

function findDifference(permissions: readonly Permission[], { order }: Post): Refusal {
  const near = order ? permissions.flatMap((one) => one.orders).filter(({ ticker }) => ticker === order.ticker) : [];
  const fields = near
    .map((one) => (order ? differences(one, order) : []))
    .toSorted((a, b) => a.length - b.length)
    .at(0);
  return fields
    ? { rule: 'differs', why: `what was approved or asked for has another ${fields.join(', ')}` }
    : { rule: 'not_approved', why: 'it was neither approved nor asked for' };
}
