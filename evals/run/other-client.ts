/** What the owner does with another program, at the service itself. */
import type { Simulator } from '../../src/simulator/index.ts';
import { credentials } from './credentials.ts';

/** A pie with one instrument and nothing in it yet. */
export async function createPie({ origin }: Simulator, name: string, ticker: string): Promise<void> {
  const { key, secret } = credentials;
  const answer = await fetch(`${origin}/api/v0/equity/pies`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name, instrumentShares: { [ticker]: 1 }, dividendCashAction: 'TO_ACCOUNT_CASH' }),
  });
  if (!answer.ok) throw new Error(`the pie could not be made: ${answer.status} ${await answer.text()}`);
}
