/** Every status, and redirects that lead back to the order. */
import { answerWith, type Case, lost, single } from './case.ts';

/**
 * Refusals that are read completely prove that there is no order; the service must not return them for one that it
 * accepted.
 */
const refusing = new Set([400, 401, 403, 404, 405, 411, 413, 415, 422]);

export const errorBodies = [
  '{"code":"InternalError","clarification":"campaign"}',
  '{"type":"/api-errors/campaign","detail":"campaign"}',
  '<html><body>Bad gateway</body></html>',
  '',
];

/** Every status that is neither an acceptance nor a refusal for the rate. */
export function statusCases(body: (status: number) => string): Case[] {
  const cases: Case[] = [];
  for (let status = 300; status <= 599; status++) {
    if (status === 429) continue;
    const answer = () => ({ status, body: body(status) });
    if (refusing.has(status)) cases.push(single(answerWith(`status ${status}`, false, answer), ['rejected']));
    else for (const books of [false, true]) cases.push(single(answerWith(`status ${status}`, books, answer), lost));
  }
  return cases;
}

/** A redirect to itself: a client that follows it sends the order twice. */
export function redirectCases(): Case[] {
  return [301, 302, 303, 307, 308].flatMap((status) =>
    [false, true].flatMap((books) =>
      ['', 'http'].map((scheme) =>
        single(
          answerWith(`redirect ${status} to ${scheme ? 'its address' : 'its path'}`, books, ({ post, socket }) => {
            const path = `/api/v0/equity/orders/${post.endpoint}`;
            const location = scheme ? `http://127.0.0.1:${socket.localPort}${path}` : path;
            return { status, headers: { location } };
          }),
          lost,
        ),
      ),
    ),
  );
}
