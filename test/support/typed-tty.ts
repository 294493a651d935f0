/** A terminal at which somebody types these lines, one for each question; afterwards every question is left. */

import type { Tty } from '../../src/core/process/terminal.ts';
import type { Tone } from '../../src/core/process/text-style.ts';

export function createTypedTty(typed: readonly string[]) {
  const lines: string[] = [];
  /** The lines with their tones. */
  const said: (readonly [line: string, tone: Tone | undefined])[] = [];
  /** The prompts after which nothing that is typed is shown. */
  const hidden: string[] = [];
  /** How long (ms) the command made the person wait. */
  const waits: number[] = [];
  const prompts: string[] = [];
  const left = [...typed];
  const answer = async (prompt: string) => {
    prompts.push(prompt);
    return left.shift();
  };
  const tty: Tty = {
    say: (line, tone) => {
      lines.push(line);
      said.push([line, tone]);
    },
    ask: async (prompt) => (await answer(prompt)) ?? '',
    askSecret: async (prompt) => {
      hidden.push(prompt);
      return (await answer(prompt)) ?? '';
    },
    promptOrCancel: (prompt, { echo }) => {
      if (!echo) hidden.push(prompt);
      return answer(prompt);
    },
    wait: async (ms) => {
      waits.push(ms);
      return true;
    },
    close: () => undefined,
  };
  return { tty, lines, said, prompts, hidden, waits };
}
