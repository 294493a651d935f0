/** Finds what only a model should read in a drawing: tools, instructions and codes. */
import { tools } from '../../../src/app/registry.ts';

const toolNames = tools.map(({ name }) => name);

/** The words of a drawing, without its tags and its commands for a terminal. */
export const wordsOf = (markup: string): string =>
  [
    markup.replace(/<style>.*?<\/style>|<script>.*?<\/script>|<code>.*?<\/code>/gs, ' ').replace(/<[^>]*>/g, ' '),
    ...[...markup.matchAll(/ (?:aria-label|data-label)="([^"]*)"/g)].map(([, label]) => label),
  ].join(' ');

/** The words of a drawing that are for a model. */
export function findModelText(markup: string): readonly string[] {
  const words = wordsOf(markup);
  return [
    ...toolNames.filter((name) => words.includes(name)),
    ...[...words.matchAll(/\b(?:tell|ask) the user\b|\bcall again\b|\bthe (?:human|caller)\b|\brepeatOf\b/gi)].map(
      String,
    ),
    // A code such as `max_order_value`; a ticker has capitals.
    ...[...words.matchAll(/(?<![\w-])[a-z]+(?:_[a-z0-9]+)+(?!\w)/g)].map(String),
  ];
}
