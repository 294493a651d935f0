import { existsSync } from 'node:fs';
import { UsageError } from '../../core/errors.ts';
import type { Tty } from '../../core/process/terminal.ts';
import { didYouMean } from '../../core/text/suggestions.ts';
import { folderFrom, getPathModule, type HostDefinition, inHome, type Platform, settingsFolder } from './host.ts';

// What hosts do before an order is from their documents; Claude Code, Codex and opencode were seen to do it.
const untilAllowed = 'asks, until you allow the tool or the server';

const claudeCode: HostDefinition = {
  id: 'claude-code',
  name: 'Claude Code',
  syntax: 'json',
  container: 'mcpServers',
  extra: { type: 'stdio' },
  // The user scope. With CLAUDE_CONFIG_DIR the file is inside that folder, which is observed and not documented. Claude
  // Code writes this file too, so it often changes between our read and our write.
  files: (place) => [
    place.env.CLAUDE_CONFIG_DIR
      ? getPathModule(place).join(folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude'), '.claude.json')
      : inHome(place, '.claude.json'),
  ],
  folders: (place) => [folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude')],
  afterwards: 'Start a new session; /mcp shows the server.',
  beforeOrder: 'asks, until you allow the tool or the server; each time with real money',
};

const file = 'claude_desktop_config.json';

const claudeDesktop: HostDefinition = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  syntax: 'json',
  container: 'mcpServers',
  files: (place) => {
    const { join } = getPathModule(place);
    const documented = join(settingsFolder(place), 'Claude', file);
    if (place.platform !== 'win32') return [documented];
    // The packaged build for Windows redirects %APPDATA% to its own copy. The location is not documented, only known
    // from the issue tracker, so it is used only where it exists.
    const local = folderFrom(place, 'LOCALAPPDATA', 'AppData', 'Local');
    return [join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude', file), documented];
  },
  afterwards: 'Quit Claude Desktop (closing its window is not enough) and start it again.',
  beforeOrder: untilAllowed,
};

export const codex: HostDefinition = {
  id: 'codex',
  name: 'Codex',
  syntax: 'toml',
  container: 'mcp_servers',
  // Without `required`, a session starts before the server is ready, and its first turn has no tools.
  switches: { required: true },
  // The same path below the home folder on every platform. A server receives only a few variables of the shell; `env`
  // names the others.
  files: (place) => [getPathModule(place).join(folderFrom(place, 'CODEX_HOME', '.codex'), 'config.toml')],
  afterwards: 'Start a new session; /mcp shows the server.',
  beforeOrder: 'asks, because the tool changes something, unless its entry approves all',
};

export const cursor: HostDefinition = {
  id: 'cursor',
  name: 'Cursor',
  syntax: 'json',
  container: 'mcpServers',
  // The same path below the home folder on every platform; no variable that changes it is documented.
  files: (place) => [inHome(place, '.cursor', 'mcp.json')],
  afterwards: 'Switch the server on in Cursor’s settings, below MCP.',
  beforeOrder: untilAllowed,
};

const geminiCli: HostDefinition = {
  id: 'gemini-cli',
  aliases: ['gemini'],
  name: 'Gemini CLI',
  syntax: 'json',
  takesComments: true,
  container: 'mcpServers',
  // GEMINI_CLI_HOME replaces the home folder, so .gemini is inside it too.
  files: (place) => [getPathModule(place).join(folderFrom(place, 'GEMINI_CLI_HOME'), '.gemini', 'settings.json')],
  afterwards: 'Start a new session; /mcp shows the server.',
  beforeOrder: untilAllowed,
};

const vscode: HostDefinition = {
  id: 'vscode',
  name: 'VS Code',
  syntax: 'json',
  takesComments: true,
  container: 'servers',
  extra: { type: 'stdio' },
  hasInputs: true,
  // The file of the default profile; another profile has its own, which "MCP: Open User Configuration" shows. Insiders
  // and other builds use other folder names.
  files: (place) => {
    const { join } = getPathModule(place);
    const { VSCODE_PORTABLE: portable, VSCODE_APPDATA: appData } = place.env;
    if (portable) return [join(portable, 'user-data', 'User', 'mcp.json')];
    return [join(appData || settingsFolder(place), 'Code', 'User', 'mcp.json')];
  },
  afterwards: 'Run "MCP: List Servers" in VS Code and start brokerage.',
  beforeOrder: 'asks, because the tool changes something, until you allow it',
};

const windsurf: HostDefinition = {
  id: 'windsurf',
  name: 'Windsurf',
  syntax: 'json',
  container: 'mcpServers',
  // The same path below the home folder on every platform; no variable that changes it is documented.
  files: (place) => [inHome(place, '.codeium', 'windsurf', 'mcp_config.json')],
  afterwards: 'Refresh the MCP servers in Cascade.',
};

const zed: HostDefinition = {
  id: 'zed',
  name: 'Zed',
  syntax: 'json',
  takesComments: true,
  container: 'context_servers',
  // Required by versions of 2025; later versions accept it.
  extra: { source: 'custom' },
  // On macOS the folder is ~/.config, not the one for application support, whatever XDG_CONFIG_HOME is.
  files: (place) => {
    const { join } = getPathModule(place);
    if (place.platform === 'win32') return [join(settingsFolder(place), 'Zed', 'settings.json')];
    if (place.platform === 'darwin') return [inHome(place, '.config', 'zed', 'settings.json')];
    const base = place.env.FLATPAK_XDG_CONFIG_HOME || folderFrom(place, 'XDG_CONFIG_HOME', '.config');
    return [join(base, 'zed', 'settings.json')];
  },
  afterwards: 'Zed reads the change automatically; the agent panel’s settings show the server.',
  beforeOrder: untilAllowed,
};

const copilotCli: HostDefinition = {
  id: 'copilot-cli',
  aliases: ['copilot'],
  name: 'Copilot CLI',
  syntax: 'json',
  container: 'mcpServers',
  extra: { type: 'local' },
  // All of them; a user can list fewer.
  switches: { tools: ['*'] },
  files: (place) => [getPathModule(place).join(folderFrom(place, 'COPILOT_HOME', '.copilot'), 'mcp-config.json')],
  afterwards: 'Start a new session; /mcp show lists the server.',
  beforeOrder: untilAllowed,
};

const qwenCode: HostDefinition = {
  id: 'qwen-code',
  aliases: ['qwen'],
  name: 'Qwen Code',
  syntax: 'json',
  takesComments: true,
  container: 'mcpServers',
  files: (place) => [getPathModule(place).join(folderFrom(place, 'QWEN_HOME', '.qwen'), 'settings.json')],
  afterwards: 'Start a new session; /mcp shows the server.',
  beforeOrder: untilAllowed,
};

const cline: HostDefinition = {
  id: 'cline',
  name: 'Cline',
  syntax: 'json',
  container: 'mcpServers',
  // The command and the extension for VS Code share this file.
  files: (place) => {
    const data = folderFrom(place, 'CLINE_DATA_DIR', '.cline', 'data');
    const documented = getPathModule(place).join(data, 'settings', 'cline_mcp_settings.json');
    const { CLINE_MCP_SETTINGS_PATH: named } = place.env;
    return [named && getPathModule(place).isAbsolute(named) ? named : documented];
  },
  folders: (place) => [folderFrom(place, 'CLINE_DATA_DIR', '.cline')],
  afterwards: 'Start a new session, or restart the server in Cline’s list of MCP servers.',
  beforeOrder: untilAllowed,
};

const continueDev: HostDefinition = {
  id: 'continue',
  name: 'Continue',
  syntax: 'json',
  takesComments: true,
  container: 'mcpServers',
  // A file of our own: Continue reads every JSON file of this folder, and its config.yaml stays as it is.
  files: (place) => {
    const folder = folderFrom(place, 'CONTINUE_GLOBAL_DIR', '.continue');
    return [getPathModule(place).join(folder, 'mcpServers', 'brokerage.json')];
  },
  folders: (place) => [folderFrom(place, 'CONTINUE_GLOBAL_DIR', '.continue')],
  afterwards: 'Reload Continue; its agent mode lists the server.',
  beforeOrder: untilAllowed,
};

const opencode: HostDefinition = {
  id: 'opencode',
  name: 'opencode',
  syntax: 'json',
  takesComments: true,
  container: 'mcp',
  extra: { type: 'local' },
  switches: { enabled: true },
  // One list for the command and its arguments, and another name for the variables.
  shape: {
    read: ({ command, environment, ...others }) => {
      const [program, ...args] = Array.isArray(command) ? command : [];
      return { ...others, command: program, args, ...(environment === undefined ? {} : { env: environment }) };
    },
    write: ({ type, command, args, env, ...others }) => ({
      type,
      command: [command, ...(args as readonly string[])],
      ...(env === undefined ? {} : { environment: env }),
      ...others,
    }),
  },
  // The same path below the home folder on every platform. It reads both files where there are both.
  files: (place) => {
    const { join } = getPathModule(place);
    const folder = join(folderFrom(place, 'XDG_CONFIG_HOME', '.config'), 'opencode');
    const withComments = join(folder, 'opencode.jsonc');
    return existsSync(withComments) ? [withComments] : [join(folder, 'opencode.json')];
  },
  afterwards: 'Start a new session; opencode mcp list shows the server.',
  beforeOrder: 'asks nothing, until its settings say so',
};

// The known hosts, and their files on this machine.

/** The known hosts, in the order in which they are offered. */
export const hosts: readonly HostDefinition[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  windsurf,
  zed,
  codex,
  geminiCli,
  copilotCli,
  qwenCode,
  cline,
  continueDev,
  opencode,
];

/** The name of this server's entry in every host. */
export const entryName = 'brokerage';

/**
 * Returns the hosts of a comma-separated list, or all given ones for `all`. Throws a UsageError that suggests the
 * nearest name.
 */
export function findHosts(list: string, all: readonly HostDefinition[]): readonly HostDefinition[] {
  if (list === 'all') return all;
  return list.split(',').map((word) => {
    const id = word.trim();
    const found = hosts.find((host) => host.id === id || host.aliases?.includes(id));
    if (found) return found;
    throw new UsageError(
      `--client has the unknown host "${id}"; ${didYouMean(
        id,
        hosts.map((host) => host.id),
      )}.`,
    );
  });
}

/** Returns the file that the host reads on this machine. */
export function getHostPath(host: HostDefinition, place: Platform): string {
  const files = host.files(place);
  return files.find((file) => existsSync(getPathModule(place).dirname(file))) ?? (files.at(-1) as string);
}

/** Whether the host's own file or one of its folders exists: Claude Code can have its file and no folder. */
export function isInstalled(host: HostDefinition, place: Platform): boolean {
  const file = getHostPath(host, place);
  const folders = host.folders?.(place) ?? [getPathModule(place).dirname(file)];
  return [file, ...folders].some((path) => existsSync(path));
}

// Selects hosts: from --client, or by asking the user.

/** Returns the hosts of --client. Throws a UsageError that lists the known hosts. */
export function parseHostFlags(client: string | undefined, place: Platform): readonly HostDefinition[] {
  if (client === undefined)
    throw new UsageError(`--yes needs --client: ${hosts.map(({ id }) => id).join(', ')}, or all that are found.`);
  const found = hosts.filter((host) => isInstalled(host, place));
  const chosen = findHosts(client, found);
  if (chosen.length === 0) throw new UsageError('no host was found on this machine; name one with --client.');
  return chosen;
}

/** Asks which hosts to use. Undefined when the user leaves. */
export async function promptHosts(tty: Tty, place: Platform): Promise<readonly HostDefinition[] | undefined> {
  const found = hosts.filter((host) => isInstalled(host, place));
  const offered = found.length > 0 ? found : hosts;
  tty.say(found.length > 0 ? 'Found on this machine:' : 'None of the known hosts was found here. They are:');
  for (const [index, host] of offered.entries())
    tty.say(`  ${index + 1}  ${host.name.padEnd(15)} ${getHostPath(host, place)}`);
  const otherwise = found.length > 0 ? 'all' : '';
  for (;;) {
    const prompt = `Which? Numbers with commas${otherwise && ', or all [all]'}: `;
    const typed = await tty.promptOrCancel(prompt, { echo: true });
    if (typed === undefined) return undefined;
    const text = typed.trim() || otherwise;
    if (text === 'all' && found.length > 0) return found;
    const picked = text.split(',').map((word) => offered[Number(word.trim()) - 1]);
    if (picked.every((host) => host !== undefined)) return [...new Set(picked)];
    tty.say(`Please type numbers from 1 to ${offered.length}, for example 1,2.`);
  }
}
