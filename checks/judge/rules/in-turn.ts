/** The legs of a draft leave one after the other, sells first, each only when the one before was accepted. */
import { isSame } from '../order.ts';
import { allows, type Permission, permissionsFor } from '../permissions.ts';
import { describePost, type Post } from '../timeline.ts';
import type { Evidence, Rule, Violation } from './rule.ts';

export const inTurn: Rule = (evidence) => {
  const attempts = new Map<string, { readonly permission: Permission; readonly posts: Post[] }>();
  for (const post of evidence.timeline.posts) {
    const permission = findAttempt(evidence, post);
    if (!permission?.draft) continue;
    const { draftId, version, attempt } = permission.draft;
    const name = `${draftId} ${version} ${attempt}`;
    const known = attempts.get(name) ?? { permission, posts: [] };
    known.posts.push(post);
    attempts.set(name, known);
  }
  return [...attempts.values()].flatMap(({ permission, posts }) => judgeAttempt(permission, posts));
};

/** The latest attempt to send a draft that this may be a leg of; undefined when it is a single order. */
function findAttempt({ timeline, permissions }: Evidence, post: Post): Permission | undefined {
  if (!post.order || post.isRefusedForRate) return undefined;
  const fitting = permissionsFor(timeline, permissions, post).filter((one) => allows(one, post));
  return fitting.some(({ draft }) => !draft) ? undefined : fitting.findLast((one) => one.refusal(post) === undefined);
}

function judgeAttempt({ orders }: Permission, posts: readonly Post[]): readonly Violation[] {
  const placeOf = ({ order }: Post) => orders.findIndex((one) => order && isSame(one, order));
  return posts.flatMap((post, index) => {
    const before = posts[index - 1];
    if (!before) return [];
    const text = (why: string) => `${describePost(post)} left ${why} ${describePost(before)}.`;
    return [
      ...(placeOf(post) < placeOf(before) ? [{ rule: 'out_of_turn', line: post.line, text: text('after') }] : []),
      ...(before.booked === undefined
        ? [{ rule: 'out_of_turn', line: post.line, text: text('although the leg before was not accepted:') }]
        : []),
    ];
  });
}
