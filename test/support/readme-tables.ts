import { cursorWebLink, vscodeWebLink } from '../../src/cli/hosts/links.ts';
import { argumentNames } from '../../src/mcp/parse-arguments.ts';
import { tools } from '../../src/mcp/registry.ts';
import { type Setting, settings } from '../../src/settings.ts';

/** The README with its generated tables as they should be. */
export function withTables(readme: string): string {
  return fill(fill(fill(readme, 'tools', toolTable()), 'settings', settingsTable()), 'links', installLinks());
}

function fill(text: string, name: string, table: string): string {
  const pattern = new RegExp(`(<!-- ${name}:begin [^>]*-->)[\\s\\S]*?(<!-- ${name}:end -->)`);
  if (!pattern.test(text)) throw new Error(`README.md has no markers for ${name}.`);
  return text.replace(pattern, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`);
}

const installLinks = () => `Or one click for the sandbox: [VS Code](${vscodeWebLink}) · [Cursor](${cursorWebLink})`;

function toolTable(): string {
  const rows = tools.map((tool) => {
    const names = argumentNames(tool).map((name) => `\`${name}\``);
    const paths = [...new Set(tool.endpoints.map(({ method, path }) => `${method} ${path.replace('/equity/', '')}`))];
    return `| ${tool.toolset} | \`${tool.name}\` | ${names.join(', ')} | ${tool.description} | ${paths.join('<br>')} |`;
  });
  return ['| toolset | tool | arguments | what it does | endpoints |', '|---|---|---|---|---|', ...rows].join('\n');
}

function settingsTable(): string {
  const rows = Object.entries<Setting>(settings).map(
    ([name, { flag, variable, meaning }]) =>
      `| \`${name}\` | ${flag ? `\`--${flag}\`` : ''} | \`${variable}\` | ${meaning} |`,
  );
  return ['| name | flag | variable | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
