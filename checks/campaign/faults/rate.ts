/** Refused for the rate, in each of its forms. */
import type { Fault } from '../upstream.ts';
import { answerWith, type Case, lost } from './case.ts';
import { resetAfterRead } from './resets.ts';

const tooMany = '{"code":"BusinessException","context":{"type":"TooManyRequests"}}';
const soon = { 'retry-after': '1' };

/** Refused for the rate: after one refusal the order is retried; after two it was not sent. */
export function rateCases(): Case[] {
  const refusals: Fault[] = [
    answerWith('429 with headers', false, () => ({ status: 429, headers: soon })),
    answerWith('429 without headers', false, () => ({ status: 429, bare: true })),
    answerWith('200 that says too many', false, () => ({ status: 200, body: tooMany, headers: soon })),
    answerWith('400 that says too many', false, () => ({ status: 400, body: tooMany, headers: soon })),
  ];
  return refusals.flatMap((fault) => {
    // Without headers the program waits for the period of the interface, and that of market orders outlasts a call.
    const orTooLong = fault.name.includes('without') ? ['not_sent'] : [];
    return [
      { faults: [fault], name: fault.name, expected: ['placed', ...orTooLong] },
      { faults: [fault, fault], name: `${fault.name}, twice`, expected: ['not_sent'] },
      { faults: [fault, resetAfterRead(true)], name: `${fault.name}, then a reset`, expected: [...lost, ...orTooLong] },
    ];
  });
}
