/** The questions, and how often each host finds a tool that answers them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import type { ToolListing } from '../../src/core/mcp/tool.ts';
import { instructionsFor } from '../../src/core/mcp/tool-listing.ts';
import { type Ranking, rankByStems, rankByWords, type Schema, type Tool } from './rank.ts';

export interface Question {
  /** As a person types it. */
  readonly typed: string;
  /** As a model might search for it. */
  readonly keywords: string;
  /** The tools that answer it. */
  readonly right: readonly string[];
  /** Names and descriptions were never changed for it. */
  readonly isHeldOut: boolean;
}

/** A question that was written after the texts, to find words for them. */
const afterwards = '~ ';

/** The text decides the half, so that nobody chooses it. */
const isHeldOut = (typed: string): boolean => (createHash('sha256').update(typed).digest()[0] ?? 0) % 2 === 1;

export function readQuestions(path = 'checks/tool-search/questions.txt'): Question[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [text = '', keywords = '', right = ''] = line.split(' | ');
      const typed = text.replace(afterwards, '');
      return { typed, keywords, right: right.split(' '), isHeldOut: typed === text && isHeldOut(typed) };
    });
}

const ownServer = 'brokerage';

export const ownTools = (listing: readonly ToolListing[] = buildToolListing()): Tool[] => {
  const instructions = instructionsFor({ environment: 'live', readOnly: false });
  return listing.map(({ name, description, inputSchema, _meta }) => ({
    server: ownServer,
    instructions,
    name,
    description,
    searchHint: _meta['anthropic/searchHint'],
    inputSchema: inputSchema as Schema,
  }));
};

const loadedTools = new Set(
  buildToolListing()
    .filter(({ _meta }) => _meta['anthropic/alwaysLoad'])
    .map(({ name }) => name),
);

export type Host = 'claude' | 'codex';
export type Words = 'typed' | 'keywords';

export interface Found {
  readonly questions: number;
  /** A right tool is among the first three. */
  readonly found: number;
  /** It is, or it was loaded from the start. */
  readonly atHand: number;
  /** The servers whose tool is the first where it is none of ours. */
  readonly othersFirst: readonly string[];
  /** The questions of which no right tool is at hand, with what was found. */
  readonly missed: readonly string[];
}

const rankings: Readonly<Record<Host, Ranking>> = { claude: rankByWords, codex: rankByStems };

export function ask(host: Host, words: Words, questions: readonly Question[], others: readonly Tool[] = []): Found {
  const isLoaded = (name: string) => host === 'claude' && loadedTools.has(name);
  const pool = [...ownTools().filter(({ name }) => !isLoaded(name)), ...others];
  const find = rankings[host](pool);
  const asked = questions.map((question) => {
    const first = find(question[words]).slice(0, 3);
    const isFound = first.some(({ server, name }) => server === ownServer && question.right.includes(name));
    return {
      isFound,
      isAtHand: isFound || question.right.some(isLoaded),
      firstServer: first[0]?.server ?? ownServer,
      line: `${question[words]} [${question.right.join(', ')}]: ${first.map(({ name }) => name).join(', ') || 'nothing'}`,
    };
  });
  return {
    questions: asked.length,
    found: asked.filter(({ isFound }) => isFound).length,
    atHand: asked.filter(({ isAtHand }) => isAtHand).length,
    othersFirst: asked.flatMap(({ firstServer }) => (firstServer === ownServer ? [] : [firstServer])),
    missed: asked.flatMap(({ isAtHand, line }) => (isAtHand ? [] : [line])),
  };
}
