/** Configuration files as people write them: any JSON with comments, trailing commas, odd white space and line ends. */
import fc from 'fast-check';
import type { Entry } from '../../../src/setup/hosts/host.ts';
import { anyText } from '../../support/any-text.ts';

export const entry: Entry = {
  command: 'npx',
  args: ['-y', 'brokerage-mcp', '--env', 'demo'],
  env: { BROKER_DEMO_BASE_URL: 'https://demo.example', BROKER_API_KEY_FILE: '/k', BROKER_API_SECRET_FILE: '/s' },
};
export const sandbox: Entry = { command: 'npx', args: ['-y', 'brokerage-mcp', '--env', 'sandbox'] };

export interface Document {
  readonly text: string;
  /** The meaning, from the same values without any decoration. */
  readonly value: unknown;
}

const noise = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', '  \n\n    ') },
  {
    weight: 1,
    arbitrary: fc
      .string({ maxLength: 8 })
      .filter((text) => !/[\r\n\u2028\u2029]|\*\//.test(text))
      .chain((text) => fc.constantFrom(`// ${text}\n`, ` //${text} \r\n  `, `/*${text} */`, `/* ${text}\n */ `)),
  },
);

const key = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('a"b', '__proto__', 'command', 'env', '{', '//', 'mcpServers ', 'brokerage '),
);
const leaf = fc.oneof(
  anyText({ maxLength: 8 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const members = (value: fc.Arbitrary<unknown>, maxKeys = 4) => fc.dictionary(key, value, { maxKeys });
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, leaf, members(tie('tree')), fc.array(tie('tree'), { maxLength: 3 })),
}));

/** An object that may have the container, which may have other servers in it, anywhere among its members. */
const root = (container: string) =>
  fc
    .tuple(members(tree), fc.option(members(tree)), members(tree, 2))
    .map(([before, servers, after]) =>
      Object.fromEntries([
        ...Object.entries(before),
        ...(servers ? [[container, servers]] : []),
        ...Object.entries(after).filter(([name]) => !Object.hasOwn(before, name)),
      ]),
    )
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

/** A document without an entry of ours. */
export const documents = (container: string): fc.Arbitrary<Document> =>
  fc
    .tuple(root(container), fc.array(noise, { minLength: 1, maxLength: 30 }), fc.array(fc.boolean(), { minLength: 1 }))
    .map(([value, noises, commas]) => ({ value, text: write(value, endless(noises), endless(commas)) }));

function endless<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => items[next++ % items.length] as T;
}

function write(value: unknown, space: () => string, comma: () => boolean): string {
  const inside = (items: readonly string[]) =>
    items.map((item) => `${space()}${item}${space()}`).join(',') + (items.length > 0 && comma() ? ',' : '') + space();
  const one = (item: unknown): string => {
    if (Array.isArray(item)) return `[${inside(item.map(one))}]`;
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    return `{${inside(Object.entries(item).map(([name, of]) => `${JSON.stringify(name)}${space()}:${space()}${one(of)}`))}}`;
  };
  return `${space()}${one(value)}${space()}`;
}
