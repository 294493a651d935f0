/** A fault with its correct outcomes, and the parts that most faults are made of. */
import type { Fault, Scene } from '../upstream.ts';
import type { WireAnswer } from '../wire.ts';

export interface Case {
  readonly faults: readonly Fault[];
  readonly name: string;
  readonly expected: readonly string[];
}

/** Anything but a clear acceptance or a refusal that was read completely. */
export const lost = ['unknown'];

export const single = (fault: Fault, expected: readonly string[]): Case => ({
  faults: [fault],
  name: fault.name,
  expected,
});

export const asText = (scene: Scene): string => JSON.stringify(scene.order);

export function answerWith(name: string, books: boolean, answer: (scene: Scene) => WireAnswer): Fault {
  return { name: `${name}${books ? ', booked' : ''}`, books, play: (scene) => scene.answer(answer(scene)) };
}
