/**
 * Links that add the sandbox to a host with one click; the single source for every document that shows them. They name
 * the published package, so a document shows them only once it is published.
 */
import { createPackageLaunch } from './launch.ts';

const name = 'brokerage';
const { command, args } = createPackageLaunch('any');
const config = { command, args: [...args, '--env', 'sandbox'] };

/** VS Code expects one object that includes the name. */
export const vscodeLink = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...config }))}`;

/** Sites that allow only https links, such as GitHub for a README, need the redirect by Microsoft. */
export const vscodeWebLink = `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${encodeURIComponent(JSON.stringify(config))}`;

/** Cursor expects the value that its file would have under the name, as base64. */
const cursorQuery = `name=${name}&config=${encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))}`;
export const cursorLink = `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery}`;
export const cursorWebLink = `https://cursor.com/en/install-mcp?${cursorQuery}`;
