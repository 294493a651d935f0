/** Our table in a TOML file, in every valid spelling. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSnippet, readEntry, withEntry, withoutEntry } from '../../../src/setup/hosts/edit-config.ts';
import { codex } from '../../../src/setup/hosts/hosts.ts';
import { renderTomlValue } from '../../../src/setup/hosts/render.ts';
import { readTomlText } from '../../../src/setup/hosts/toml-parse.ts';
import { runs } from '../../support/runs.ts';
import { entry, sandbox } from './documents.ts';

/** Parts of files that are not ours, each a statement or a table as a person writes it. */
const parts = fc.constantFrom(
  'model = "gpt"',
  '# [mcp_servers.brokerage] is not here',
  '  indented = 1 # a comment with = and "quotes"',
  'when = 1979-05-27 07:32:00Z',
  'numbers = [ 1, 2.5e3, 0xff, inf ]',
  'list = [\n  "a", # with a comment ]\n  \'b\',\n]',
  'long = """\n[mcp_servers.brokerage]\ncommand = "no"\n"""',
  "literal = '''\n[x] \"\"\" ''''",
  'point = { x = 1, "y z" = { deep.er = true } }',
  '[mcp_servers.other]\ncommand = "x"',
  '[mcp_servers."brokerage two"]\nargs = []',
  '[[profiles]]\nname = "a"',
  '[[profiles]]\nname = "b"',
  '[ spaced . "out" ]\nx.y = "z"',
);
const documents = fc
  .tuple(
    fc.uniqueArray(parts, { maxLength: 6 }),
    fc.constantFrom('\n', '\n\n', '\n \t\n'),
    fc.constantFrom('', '\n', '\n\n'),
  )
  .map(([some, between, end]) => (some.length > 0 ? some.join(between) + end : end))
  .chain((text) => fc.constantFrom(text, text.replaceAll('\n', '\r\n')));

test('adding the table keeps everything else, and removing it restores the same bytes', { tags: ['slow'] }, () => {
  fc.assert(
    fc.property(documents, (text) => {
      const put = withEntry(codex, text, entry);
      expect(put.text.startsWith(text)).toBe(true);
      expect(readEntry(codex, put.text)).toEqual({ ...entry, required: true });
      expect(withEntry(codex, put.text, entry).text).toBe(put.text);
      expect(withoutEntry(codex, put.text, put.traces).text).toBe(text);
      const changed = withEntry(codex, put.text, sandbox);
      expect(readEntry(codex, changed.text)).toEqual({ ...sandbox, required: true });
      expect(withoutEntry(codex, changed.text, put.traces).text).toBe(text);
    }),
    { numRuns: runs(50) },
  );
});

test('a session with Codex waits for the server, unless its owner chose otherwise', () => {
  const table = '[mcp_servers.brokerage]\ncommand = "npx"\n';
  expect(readEntry(codex, withEntry(codex, table, entry).text)).toMatchObject({ required: true });
  expect(readEntry(codex, withEntry(codex, `${table}required = false\n`, entry).text)).toMatchObject({
    required: false,
  });
  expect(formatSnippet(codex, sandbox)).toBe(
    '[mcp_servers.brokerage]\ncommand = "npx"\nargs = ["-y", "brokerage-mcp", "--env", "sandbox"]\nrequired = true',
  );
});

test('text that is added after the table stays too', { tags: ['slow'] }, () => {
  fc.assert(
    fc.property(documents, fc.constantFrom('[later]\nx = 1\n', '\n# note\n[later]\n'), (text, later) => {
      const put = withEntry(codex, text, entry);
      const out = withoutEntry(codex, put.text + later, put.traces).text;
      expect(readTomlText(out).some(({ path }) => path.join('.') === 'later')).toBe(true);
      expect(out.startsWith(text.trimEnd())).toBe(true);
      expect(out).not.toMatch(/^command = "npx"/m);
    }),
  );
});

test('any string is written so that it is read back unchanged', () => {
  const letters = fc.constantFrom(...'ab"\\\'#=[]{},. \n\r\t\u0000\u001b\u007f\u0085é😀');
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 12 }), (text) => {
      const [pair] = readTomlText(`x = ${renderTomlValue(text)}\n`);
      expect(pair?.value).toBe(text);
    }),
  );
});

test.each([
  ['a = "\\u00e9\\t\\"" # c', 'é\t"'],
  ["a = 'C:\\dir'", 'C:\\dir'],
  ['a = """\nx\\\n   y"""', 'xy'],
  ['a = """x""""" ', 'x""'],
  ["a = '''\nx'y'''", "x'y"],
  ['a = [["x"], {b.c = "d"}]', [['x'], { b: { c: 'd' } }]],
])('%j is read', (text, value) => {
  expect(readTomlText(text)[0]?.value).toEqual(value);
});

test.each(
  [
    'a',
    'a =',
    'a = "x',
    'a = "x\ny"',
    'a = 1 2',
    '[a',
    '[a] b = 1',
    '[[a]',
    'a = [1 2]',
    'a = {b}',
    'a = {b = 1, b = 2}',
    'a = "\\q"',
    'a = """x',
    `a = ${'['.repeat(3000)}`,
  ].map((text) => [text.slice(0, 20), text]),
)('%j is refused, and the error has the line', (_, text) => {
  expect(() => readTomlText(text)).toThrow(/ in line \d/);
});

describe('our table in another spelling', () => {
  const plain = { command: 'node', args: ['/old'], startup_timeout_sec: expect.anything() };
  test.each([
    ['a quoted name', '[mcp_servers."brokerage"]\ncommand = "node"\nargs = ["/old"]\nstartup_timeout_sec = 20\n'],
    [
      'spaces and a literal name',
      "[ mcp_servers . 'brokerage' ]\ncommand = 'node'\nargs = [\n '/old', # why\n]\nstartup_timeout_sec = 20",
    ],
    ['an inline table', '[mcp_servers]\nbrokerage = { command = "node", args = ["/old"], startup_timeout_sec = 20 }\n'],
    [
      'dotted keys',
      '[mcp_servers]\nbrokerage.command = "node"\nbrokerage.args = ["/old"]\nbrokerage.startup_timeout_sec = 20\n',
    ],
    [
      'dotted keys at the root',
      'mcp_servers.brokerage.command = "node"\nmcp_servers.brokerage.args = ["/old"]\nmcp_servers.brokerage.startup_timeout_sec = 20\n[x]\n',
    ],
    [
      'a table after its part',
      '[mcp_servers.brokerage.tools.x]\nmode = "a"\n[mcp_servers.brokerage]\ncommand = "node"\nargs = ["/old"]\nstartup_timeout_sec = 20\n',
    ],
  ])('%s is read, changed in place, and removed', (_, spelled) => {
    const before = '# mine\nmodel = "m"\n';
    const text = spelled.startsWith('mcp_servers') ? before + spelled : `${before}${spelled}`;
    expect(readEntry(codex, text)).toMatchObject(plain);
    const changed = withEntry(codex, text, entry);
    expect(readEntry(codex, changed.text)).toMatchObject({ ...entry, startup_timeout_sec: expect.anything() });
    expect(changed.text).toContain('startup_timeout_sec = 20');
    expect(withEntry(codex, changed.text, entry).text).toBe(changed.text);
    const out = withoutEntry(codex, changed.text).text;
    expect(out.startsWith(before)).toBe(true);
    expect(out).not.toContain('brokerage');
  });

  test('its env as a table, inline or dotted, is changed in place', () => {
    const env = (written: string) => `[mcp_servers.brokerage]\ncommand = "npx"\n${written}`;
    for (const written of [
      '[mcp_servers.brokerage.env]\nBROKER_API_KEY = "plain"\nBROKER_MAX_ORDER_VALUE = "50"\n',
      'env = { BROKER_API_KEY = "plain", BROKER_MAX_ORDER_VALUE = "50" }\n',
      'env.BROKER_API_KEY = "plain"\nenv.BROKER_MAX_ORDER_VALUE = "50"\n',
    ]) {
      const { text } = withEntry(codex, env(written), entry);
      expect(readEntry(codex, text)).toEqual({
        ...entry,
        required: true,
        env: { ...entry.env, BROKER_MAX_ORDER_VALUE: '50' },
      });
    }
  });

  test.each([
    ['mcp_servers = { other = { command = "x" } }', /mcp_servers in a syntax that cannot be edited/],
    ['mcp_servers = { brokerage = { command = "x" } }', /mcp_servers in a syntax that cannot be edited/],
    ['[[mcp_servers]]\nname = "brokerage"', /mcp_servers in a syntax that cannot be edited/],
    ['[[mcp_servers.brokerage]]\ncommand = "x"', /as a list of tables/],
    ['[mcp_servers.brokerage]\ncommand = "x"\n[mcp_servers.brokerage]\n', /multiple times is invalid in line 3/],
    ['[mcp_servers.brokerage]\ncommand = "x"\ncommand = "y"\n', /multiple times is invalid in line 3/],
    ['[[mcp_servers.brokerage.x]]\na = 1\n[[mcp_servers.brokerage.x]]\na = 2\n', /a setting of .* twice/],
    ['[mcp_servers]\nbrokerage = { args = [\n"a", # why\n] }\n', /a comment inside mcp_servers.brokerage/],
  ])('%j is not edited', (text, why) => {
    expect(() => withEntry(codex, text, entry)).toThrow(why);
  });
});
