/** How two hosts rank the tools of all servers for a search. Both rules were read from the hosts themselves. */
import { stem } from './stem.ts';

export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export interface Tool {
  readonly server: string;
  /** The instructions of its server. */
  readonly instructions: string;
  readonly name: string;
  readonly description: string;
  readonly searchHint: string;
  readonly inputSchema: Schema;
}

/** Reads the tools once, and returns for a query those that match: the best first, and of equal ones the first listed. */
export type Ranking = (tools: readonly Tool[]) => (query: string) => Tool[];

const byScore = (tools: readonly Tool[], scoreOf: (tool: Tool) => number): Tool[] =>
  tools
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);

const mostTerms = 32;
const mostOfHint = 4096;

/**
 * Claude Code: each word of the query counts by where it stands. Words are not reduced to stems, and common ones count
 * too; a part of a word in a name counts half.
 */
export const rankByWords: Ranking = (tools) => (query) => {
  const terms = query.trim().toLowerCase().split(/\s+/).slice(0, mostTerms);
  return byScore(tools, (tool) => {
    const coarse = [tool.server, tool.name].map((text) => text.toLowerCase());
    const parts = coarse.flatMap((text) => text.split('_')).filter((part) => part !== '');
    const [hint, description] = [tool.searchHint.slice(0, mostOfHint), tool.description].map((text) =>
      text.toLowerCase(),
    );
    let score = 0;
    for (const term of terms) {
      const word = new RegExp(`\\b${term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\b`);
      if (parts.includes(term)) score += 12;
      else if (parts.some((part) => part.includes(term))) score += 6;
      if (coarse.includes(term)) score += 12;
      else if (coarse.some((text) => text.includes(term))) score += 4;
      if (score === 0 && parts.join(' ').includes(term)) score += 3;
      if (word.test(hint ?? '')) score += 4;
      if (word.test(description ?? '')) score += 2;
    }
    return score;
  });
};

/** The words that Codex leaves out: the list of NLTK. */
const common = new Set(
  `i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves he him his himself
  she she's her hers herself it it's its itself they them their theirs themselves what which who whom this that that'll
  these those am is are was were be been being have has had having do does did doing a an the and but if or because as
  until while of at by for with about against between into through during before after above below to from up down in
  out on off over under again further then once here there when where why how all any both each few more most other some
  such no nor not only own same so than too very s t can will just don don't should should've now d ll m o re ve y ain
  aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma mightn mightn't
  mustn mustn't needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn wouldn't i'd i'll
  i'm i've he'd he'll he's she'd she'll it'd it'll we'd we'll we're we've they'd they'll they're they've`.split(/\s+/),
);

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

const stemsOf = (text: string): string[] =>
  [...segmenter.segment(text.replaceAll('’', "'").toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike && !common.has(segment))
    .map(({ segment }) => stem(segment));

const schemaTexts = (schema: Schema): string[] => [
  schema.description ?? '',
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [name, ...schemaTexts(one)]),
  ...(schema.items ? schemaTexts(schema.items) : []),
  ...(schema.anyOf ?? []).flatMap(schemaTexts),
];

/** The server's instructions are part of the text of each of its tools; the hint and the title are not. */
const textOf = ({ server, instructions, name, description, inputSchema }: Tool): string => {
  const words = name.replaceAll('_', ' ');
  const space = `mcp__${server}`;
  return [
    `${space}__${name}`,
    words,
    space,
    space,
    instructions,
    name,
    words,
    description,
    ...schemaTexts(inputSchema),
  ].join(' ');
};

const [k1, b] = [1.2, 0.75];

/** Codex: BM25 over stems. */
export const rankByStems: Ranking = (tools) => {
  const documents = tools.map((tool) => {
    const stems = stemsOf(textOf(tool));
    const counts = new Map<string, number>();
    for (const one of stems) counts.set(one, (counts.get(one) ?? 0) + 1);
    return { tool, counts, length: stems.length };
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return (query) => {
    const terms = stemsOf(query).map((term) => {
      const having = documents.filter(({ counts }) => counts.has(term)).length;
      return { term, weight: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) };
    });
    const scores = new Map(
      documents.map(({ tool, counts, length }) => {
        const scored = terms.map(({ term, weight }) => {
          const count = counts.get(term) ?? 0;
          return (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
        });
        return [tool, scored.reduce((sum, one) => sum + one, 0)];
      }),
    );
    return byScore(tools, (tool) => scores.get(tool) ?? 0);
  };
};
