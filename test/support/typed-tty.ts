/** A terminal at which somebody types these lines, one for each question; afterwards every question is left. */
import type { Tty } from '../../src/process/terminal.ts';

export function createTypedTty(typed: readonly string[]) {
  const lines: string[] = [];
  const prompts: string[] = [];
  const left = [...typed];
  const answer = async (prompt: string) => {
    prompts.push(prompt);
    return left.shift();
  };
  const tty: Tty = {
    say: (line) => void lines.push(line),
    ask: async (prompt) => (await answer(prompt)) ?? '',
    askSecret: async (prompt) => (await answer(prompt)) ?? '',
    promptOrCancel: answer,
    wait: async () => true,
    close: () => undefined,
  };
  return { tty, lines, prompts };
}
