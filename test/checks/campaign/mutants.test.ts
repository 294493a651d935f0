/** The campaign itself runs with `npm run campaign`; this test checks its mutants against the source. */
import { basename } from 'node:path';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { childrenOf, isNode, type Node, parseFile } from '../../../checks/campaign/code-pattern.ts';
import { applyEdits, type Edit, listNames, readSources, type Sources } from '../../../checks/campaign/edits.ts';
import { mutants } from '../../../checks/campaign/mutants.ts';

const sources = readSources();

test.each(mutants)('the mutant "$name" changes the current source, which is still a program', async ({ edits }) => {
  for (const [path, text] of applyEdits(edits, sources)) {
    expect(text).not.toBe(sources.get(path));
    await transform(text, { loader: 'ts' });
  }
});

/** Gives every variable within the functions of a file another name. */
function renameVariables(text: string): string {
  const statements = parseFile(text);
  const kept = new Set(listNames(statements));
  const places = new Map<number, string>();
  const visit = (node: Node, key: string, parent: Node): void => {
    const isKey = parent.computed !== true && (key === 'key' || (key === 'property' && 'object' in parent));
    if (node.type === 'Identifier' && !isKey) {
      const name = String(node.name);
      if (kept.has(name) || name in globalThis || name === 'undefined') return;
      places.set(node.start + name.length, parent.type === 'ObjectProperty' && parent.shorthand ? `: ${name}_` : '_');
    }
    for (const [name, child] of childrenOf(node))
      for (const one of [child].flat()) if (isNode(one)) visit(one, name, node);
  };
  for (const statement of statements) if (statement.type !== 'ImportDeclaration') visit(statement, '', statement);
  let [renamed, from] = ['', 0];
  for (const [at, added] of [...places].toSorted(([a], [b]) => a - b)) {
    renamed += text.slice(from, at) + added;
    from = at;
  }
  return renamed + text.slice(from);
}

const refactored = new Map<string, Promise<string>>();

async function refactorFile(text: string): Promise<string> {
  const { code } = await transform(renameVariables(text), { loader: 'ts', minifyWhitespace: true });
  return code.replaceAll('void 0', 'undefined');
}

/** As after a move of the files, other names of variables, and a formatter of another opinion. */
async function refactor(edits: readonly Edit[]): Promise<Sources> {
  const files = new Set(applyEdits(edits, sources).keys());
  const all = [...sources].map(async ([path, text]): Promise<[string, string]> => {
    if (!files.has(path)) return [path, text];
    const code = refactored.get(path) ?? refactorFile(text);
    refactored.set(path, code);
    return [`src/elsewhere/${basename(path)}`, await code];
  });
  return new Map(await Promise.all(all));
}

test.each(mutants)('the mutant "$name" finds its places after a refactoring', { tags: ['slow'] }, async ({ edits }) => {
  const moved = await refactor(edits);
  for (const [path, text] of applyEdits(edits, moved)) {
    expect(text).not.toBe(moved.get(path));
    await transform(text, { loader: 'ts' });
  }
});
