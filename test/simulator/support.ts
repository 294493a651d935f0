import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** A Friday on which London and New York are open. */
export const fridayAfternoon = Date.parse('2026-11-20T15:00:00Z');

export const credentials = { key: 'a-key', secret: 'a-secret' };
const authorization = `Basic ${Buffer.from('a-key:a-secret').toString('base64')}`;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read loosely, as they stand on the wire.
  json: any;
}

/** A simulator on a clock that the test drives. Without `limitScale` it has no limits (periods of 0). */
export async function setup(options: Partial<SimulatorOptions> & { startAt?: number } = {}) {
  const { startAt = fridayAfternoon, ...rest } = options;
  const clock = createManualClock({ startAt });
  const simulator = await startSimulator({ clock, credentials, instrumentCount: 300, limitScale: 0, ...rest });
  onTestFinished(() => simulator.close());

  const send = async (
    method: string,
    url: string,
    body?: string,
    headers: Record<string, string> = { authorization },
  ) => {
    const response = await request(url, {
      method: method as 'GET',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    // Not text(), which drops a byte order mark.
    const text = Buffer.from(await response.body.arrayBuffer()).toString('utf8');
    const isJson = String(response.headers['content-type']).includes('json');
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
    return answer;
  };
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    send(
      method,
      `${simulator.origin}/api/v0${path}`,
      body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      headers,
    );
  return {
    simulator,
    clock,
    send,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown) => call('POST', path, body),
    remove: (path: string) => call('DELETE', path),
    market: (ticker: string, quantity: number, extendedHours?: boolean) =>
      call('POST', '/equity/orders/market', {
        ticker,
        quantity,
        ...(extendedHours !== undefined && { extendedHours }),
      }),
    limit: (ticker: string, quantity: number, limitPrice: number, timeValidity = 'GOOD_TILL_CANCEL') =>
      call('POST', '/equity/orders/limit', { ticker, quantity, limitPrice, timeValidity }),
    /** The newest row of the order history. */
    newest: async () => (await call('GET', '/equity/history/orders?limit=1')).json.items[0],
  };
}

/** All rows of a history, following nextPagePath as a careful client does. */
export async function walk(get: (path: string) => Promise<Answer>, path: string, limit = 50, query = '') {
  const rows: unknown[] = [];
  const pages: number[] = [];
  let next: string | undefined = `limit=${limit}${query}`;
  while (next !== undefined && pages.length < 400) {
    const page: Answer = await get(`${path}?${next}`);
    if (page.status !== 200) throw new Error(`${page.status} ${page.text}`);
    rows.push(...page.json.items);
    pages.push(page.json.items.length);
    const following: string = page.json.nextPagePath ?? '';
    const parameters = new URLSearchParams(following.slice(following.indexOf('?') + 1));
    const isEnd = following === '' || parameters.get('cursor') === 'null';
    next = isEnd ? undefined : parameters.toString();
  }
  // biome-ignore lint/suspicious/noExplicitAny: rows are read loosely, as they stand on the wire.
  return { rows: rows as any[], pages };
}

/** Pence, exactly: sums of amounts are compared as integers. */
export const pence = (amount: string | number): bigint => {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  const digits = BigInt(`${whole.replace('-', '')}${fraction.padEnd(2, '0')}`);
  return whole.startsWith('-') ? -digits : digits;
};
