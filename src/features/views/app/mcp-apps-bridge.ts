/**
 * The view's side of MCP Apps (2026-01-26): JSON-RPC over postMessage with the parent window. After its
 * handshake it receives results, and reports its height and its faults; the ticket and the document ask the host to open a link.
 */
import { readResult, type ToolResultView, toFields, toText } from '../model/read-answer.ts';
import type { Browser } from './browser.ts';

/** What the host reports about its environment. For undefined, the browser's own value applies. */
export interface HostContext {
  readonly theme: 'light' | 'dark' | undefined;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
}

export interface HostEvents {
  readonly onContext: (context: HostContext) => void;
  readonly onResult: (said: ToolResultView) => void;
  readonly onCancelled: (reason: string | undefined) => void;
  /** Called when code of the view threw. The bridge has reported it to the host, once for each place. */
  readonly onFault: () => void;
}

const helloId = 1;

export function connectHost(browser: Browser, name: string, on: HostEvents): { tellHeight(height: number): void } {
  // Any origin: the frame is sandboxed, the origin of its host is unknown, and the messages contain no secret.
  const send = (message: object) => browser.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  let context = {};
  const takeContext = (news: unknown) => {
    context = { ...context, ...toFields(news) };
    on.onContext(readContext(context));
  };

  const handlers = new Map<unknown, (params: unknown) => void>([
    ['ui/notifications/tool-result', (params) => on.onResult(readResult(params))],
    ['ui/notifications/tool-cancelled', (params) => on.onCancelled(toText(toFields(params).reason))],
    ['ui/notifications/host-context-changed', takeContext],
  ]);
  const reported = new Set<string>();
  const reportFault = (error: unknown) => {
    const { name: code = typeof error, stack } = toFields(error);
    // The message stays here: it can contain figures. The build names its scripts, such as `draft.js`.
    const place = /[\w-]+\.js:\d+:\d+/.exec(String(stack))?.[0];
    const data = { task: `view ${name}`, code, place };
    const fault = `${code} ${place}`;
    if (!reported.has(fault)) send({ method: 'notifications/message', params: { level: 'error', logger: name, data } });
    reported.add(fault);
    on.onFault();
  };
  // Each handler, timer and observer of the page ends here when it throws.
  browser.addEventListener('error', ({ error }) => {
    if (error) reportFault(error);
  });
  browser.addEventListener('unhandledrejection', ({ reason }) => reportFault(reason));

  const answered = new Set(['ping', 'ui/resource-teardown']);

  browser.addEventListener('message', ({ data, source }) => {
    // Other frames can post messages here too.
    if (source !== browser.parent) return;
    const { jsonrpc, id, method, params, result } = toFields(data);
    if (jsonrpc !== '2.0') return;
    if (typeof method === 'string') {
      const handle = handlers.get(method);
      if (handle) handle(params);
      else if (id !== undefined)
        send(answered.has(method) ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } });
    } else if (id === helloId && result !== undefined) {
      takeContext(toFields(result).hostContext);
      send({ method: 'ui/notifications/initialized', params: {} });
    }
  });
  send({
    id: helloId,
    method: 'ui/initialize',
    params: {
      protocolVersion: '2026-01-26',
      appInfo: { name: `brokerage-mcp-${name}`, version: '1.0.0' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    },
  });
  // The host decides the width, and a view fills it.
  return { tellHeight: (height) => send({ method: 'ui/notifications/size-changed', params: { height } }) };
}

function readContext(context: object): HostContext {
  const { theme, locale, timeZone } = toFields(context);
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : undefined,
    locale: usable(toText(locale), (name) => new Intl.NumberFormat(name)),
    timeZone: usable(toText(timeZone), (name) => new Intl.DateTimeFormat(undefined, { timeZone: name })),
  };
}

/** An invalid name would make every Intl formatter throw. */
function usable(name: string | undefined, attempt: (name: string) => unknown): string | undefined {
  if (name === undefined) return undefined;
  try {
    attempt(name);
    return name;
  } catch {
    // The browser does not know the name.
    return undefined;
  }
}
