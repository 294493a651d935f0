/** Replaces the SDK's dump of its schema library, sent for a malformed request, with one sentence. */
import type { McpServer } from '@modelcontextprotocol/server';

type Connect = McpServer['connect'];
type Transport = Parameters<Connect>[0];
type Message = Parameters<Transport['send']>[0];

const invalidParams = -32_602;
/** Maximum length of a path in the message; deeper parts add no information. */
const maxPathLength = 100;

/** Changes the server so that its errors contain no dump, on every transport. Returns the same server. */
export function withPlainErrors(server: McpServer): McpServer {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(plainError(message), options);
    return connect(transport);
  };
  return server;
}

function plainError(message: Message): Message {
  if (!('error' in message)) return message;
  const issues = readIssues(message.error.message);
  if (!issues) return message;
  const path = issues[0]?.path?.map(String).join('.').slice(0, maxPathLength);
  const where = path ? `${path} is missing or has the wrong type` : 'a field is missing or has the wrong type';
  return { ...message, error: { code: invalidParams, message: `The request is not valid: ${where}.` } };
}

/**
 * Returns the issues of the schema library when the text is a dump of them, also after a prefix; undefined otherwise.
 */
function readIssues(text: string): { path?: unknown[] }[] | undefined {
  const from = text.indexOf('[');
  if (from === -1 || !text.trimEnd().endsWith(']')) return undefined;
  try {
    const issues: unknown = JSON.parse(text.slice(from));
    return Array.isArray(issues) && issues.every(isIssue) ? issues : undefined;
  } catch {
    // The text only begins like a list.
    return undefined;
  }
}

const isIssue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'code' in value && 'path' in value && Array.isArray(value.path);
