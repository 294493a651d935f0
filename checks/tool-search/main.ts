/**
 * `npm run tool-search -- [--missed] [--beside]`: how often the searches of two hosts find the
 * right tool, and how many tokens of the tool list are free; `--missed` prints the questions of the tuned half that find none, and `--beside` asks beside the tools of
 * other servers, which it fetches from the npm registry.
 */
import { parseArgs } from 'node:util';
import { measureToolList, tokenBudgets } from '../../test/support/tool-list.ts';
import { ask, type Host, type Question, readQuestions, type Words } from './ask.ts';
import { fetchOthers, otherBroker } from './others.ts';

const { values } = parseArgs({
  options: { missed: { type: 'boolean', default: false }, beside: { type: 'boolean', default: false } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const others = values.beside ? await fetchOthers(say) : [];
const questions = readQuestions();
const halves: Readonly<Record<string, readonly Question[]>> = {
  tuned: questions.filter(({ isHeldOut }) => !isHeldOut),
  'held out': questions.filter(({ isHeldOut }) => isHeldOut),
};
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

say('| half | host | words | among the first three | or loaded | another server first | another broker first |');
say('|---|---|---|---|---|---|---|');
for (const [half, asked] of Object.entries(halves))
  for (const host of ['claude', 'codex'] as const satisfies readonly Host[])
    for (const words of ['typed', 'keywords'] as const satisfies readonly Words[]) {
      const { found, atHand, othersFirst, questions: count, missed } = ask(host, words, asked, others);
      const brokers = othersFirst.filter((server) => server === otherBroker).length;
      const shares = [found, atHand, othersFirst.length, brokers].map((part) => percent(part, count));
      say(`| ${half}, ${count} | ${host} | ${words} | ${shares.join(' | ')} |`);
      if (values.missed && half === 'tuned') for (const line of missed) say(`  ${line}`);
    }

const figures = measureToolList();
for (const [list, name] of [
  ['all', 'every tool'],
  ['readOnly', '--read-only'],
] as const) {
  const { tokens } = figures[list];
  say(`Tokens of the list with ${name}: ${tokens} of ${tokenBudgets[list]}; free: ${tokenBudgets[list] - tokens}.`);
}
