/** After a halt no order leaves until it is lifted. */
import { wasOnItsWay } from '../permissions.ts';
import { describePost } from '../timeline.ts';
import type { Rule } from './rule.ts';

export const halted: Rule = ({ timeline }) =>
  timeline.posts.flatMap((post) => {
    const before = [...timeline.stops.filter(({ draftId }) => draftId === undefined), ...timeline.all('resume')].filter(
      ({ line }) => line < post.line,
    );
    const last = before.toSorted((a, b) => a.line - b.line).at(-1);
    if (last?.kind !== 'stop' || wasOnItsWay(timeline, last, post)) return [];
    const text = `${describePost(post)} left ${post.at - last.at} ms after trading had been halted.`;
    return [{ rule: 'after_halt', line: post.line, text }];
  });
