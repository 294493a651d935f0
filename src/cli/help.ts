import { type Setting, settings } from '../settings/setting-definitions.ts';

/** Returns the text of --help, from the commands and the settings. */
export function formatHelp(commands: readonly { usage: string; meaning: string }[]): string {
  const flags = Object.values<Setting>(settings)
    .map((setting) => [setting.flag ? `--${setting.flag}` : '', setting.variable, plain(setting.description)] as const)
    .map(([flag, variable, meaning]) => `  ${flag.padEnd(13)} ${variable.padEnd(30)} ${meaning}`);
  return [
    'brokerage-mcp: a Model Context Protocol server for a brokerage account.',
    '',
    'Commands',
    ...commands.flatMap(({ usage, meaning }) => [`  ${usage}`, `      ${meaning}`]),
    '',
    'Settings: flag, environment variable, meaning (the first one given wins; then config.json)',
    ...flags,
    '',
    '  --help        --version',
  ].join('\n');
}

const plain = (markdown: string) => markdown.replaceAll('`', '');
