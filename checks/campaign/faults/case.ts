/** A fault with the outcomes that are right for it, and the parts that most of them are made of. */
import type { Fault, Scene } from '../upstream.ts';
import type { WireAnswer } from '../wire.ts';

export interface Case {
  readonly faults: readonly Fault[];
  readonly name: string;
  readonly expected: readonly string[];
}

/** Whatever is no clear acceptance and no refusal that was read whole. */
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
