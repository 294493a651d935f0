/** Links that put the sandbox into a host with one click: the one source for everything that shows them. Pure. */
import { npxCommand } from './launch.ts';

const name = 'brokerage';
const { command, args } = npxCommand('brokerage-mcp', 'any');
const config = { command, args: [...args, '--env', 'sandbox'] };

/** VS Code takes one object, with the name in it. */
export const vscodeLink = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...config }))}`;

/** Pages that allow https alone, such as a README, go through a redirect of VS Code's makers. */
export const vscodeWebLink = `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${encodeURIComponent(JSON.stringify(config))}`;

/** Cursor takes what would stand behind the name in its file, as base64. */
const cursorQuery = `name=${name}&config=${encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))}`;
export const cursorLink = `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery}`;
export const cursorWebLink = `https://cursor.com/en/install-mcp?${cursorQuery}`;
