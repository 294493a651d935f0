import { errorOfAnswer, errorOfFailure } from '../answer-errors.ts';
import type { Guard, Incoming, Understood } from '../call.ts';
import { parseAnswer } from '../parse-answer.ts';
import { TransportFailure } from '../transport/failure.ts';

/** Turns what came back into data or into the one error family; nothing raw passes. */
export const understand =
  (): Guard<Incoming, Understood> =>
  (next) =>
  async (request) => {
    const answer = await next(request).catch((error: unknown) => {
      throw error instanceof TransportFailure ? errorOfFailure(request.endpoint, error) : error;
    });
    const error = errorOfAnswer(request.endpoint, answer);
    if (error) throw error;
    const { text, askedAt, answeredAt } = answer;
    return { data: parseAnswer(request.endpoint, text), text, askedAt, answeredAt, shared: false };
  };
