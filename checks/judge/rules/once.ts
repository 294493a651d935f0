/** One intent never has more than one request that may have been accepted. */
import { describe, keyOf } from '../order.ts';
import { allows, needsApproval, type Permission, permissionsFor } from '../permissions.ts';
import { keyOfPost, mayBeAccepted, type Post, type Timeline } from '../timeline.ts';
import type { Evidence, Rule, Violation } from './rule.ts';

/** An equal order within this time is the same one, unless a repetition is wanted. */
const sameMs = 10 * 60_000;

export const once: Rule = (evidence) => {
  const { timeline } = evidence;
  const posts = timeline.posts.filter(({ isRefusedForRate }) => !isRefusedForRate);
  const whole = posts.filter(({ order }) => order);
  return [...whole.flatMap((post) => repeated(evidence, post, whole)), ...cutOff(evidence, posts)];
};

function repeated({ timeline, permissions }: Evidence, post: Post, posts: readonly Post[]): readonly Violation[] {
  const key = keyOfPost(post);
  const before = posts.filter((other) => other.line < post.line && keyOfPost(other) === key);
  const fitting = permissionsFor(timeline, permissions, post).filter(
    (one) =>
      allows(one, post) && (one.from === 'ticket' ? one.refusal(post) === undefined || isUsed(one, before) : true),
  );
  const text = (why: string) => `${post.order ? describe(post.order) : key} left ${before.length + 1} times ${why}.`;
  // Each approval is for one request, whatever became of it.
  if (needsApproval(timeline, post) && before.length >= fitting.length && fitting.length > 0)
    return [{ rule: 'twice', line: post.line, text: text(`with ${fitting.length} approvals`) }];
  const open = before.filter((other) => post.at - other.at < sameMs && mayExist(timeline, other, post));
  const wanted = new Set(fitting.flatMap((one) => (post.order ? (one.repetitionOf(post.order) ?? []) : [])));
  return open.length > wanted.size
    ? [{ rule: 'twice', line: post.line, text: text(`with ${wanted.size} wanted repetitions`) }]
    : [];
}

/** An approval that has expired since was used by an earlier request. */
const isUsed = (one: Permission, before: readonly Post[]) => before.some((post) => one.refusal(post) === undefined);

/** Whether the order of the earlier request may still be there. */
const mayExist = ({ all }: Timeline, earlier: Post, post: Post): boolean =>
  mayBeAccepted(earlier) &&
  !all('request').some(
    ({ method, path, line, status }) =>
      method === 'DELETE' &&
      earlier.booked !== undefined &&
      path.split('?')[0]?.endsWith(`/orders/${earlier.booked}`) &&
      line < post.line &&
      status !== null &&
      status < 300,
  );

/** A request without its body may be any order that was open then, and another request of that order must not follow. */
function cutOff({ timeline, permissions }: Evidence, posts: readonly Post[]): readonly Violation[] {
  const whole = new Set(posts.map(keyOfPost));
  const taken = new Set<string>();
  return posts.flatMap((post) => {
    if (post.order) return [];
    const open = permissionsFor(timeline, permissions, post).filter((one) => allows(one, post) && !one.refusal(post));
    const orders = open.flatMap((one) => one.orders).filter(({ type }) => type === post.type);
    const free = orders.find((order) => !whole.has(keyOf(order)) && !taken.has(keyOf(order)));
    if (free) taken.add(keyOf(free));
    if (free || orders.length === 0) return [];
    return [
      { rule: 'twice', line: post.line, text: `${keyOfPost(post)} left, and every order that it can be left too.` },
    ];
  });
}
