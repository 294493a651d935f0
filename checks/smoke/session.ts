/** A host's session with an installed program, and what must be true of it on every Node. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { tools } from '../../src/app/registry.ts';
import { connectStdio } from '../../src/cli/stdio-client.ts';
import { run } from './run.ts';

const ticker = 'QNOON_GB_EQ';

/**
 * Version, list, a read, and an order that a second process finds again; or, without a usable SQLite, the refusal with
 * its reason. Its state is in a home of its own below `folder`.
 */
export async function playSession(
  { node, program, folder }: { node: string; program: string; folder: string },
  { orders }: { orders: 'placed' | 'refused' },
): Promise<void> {
  const home = await mkdtemp(join(folder, 'home-'));
  const env = { PATH: process.env.PATH, HOME: home };
  assert.equal((await run(node, [program, '--version'], { env })).trim(), packageFile.version);

  const first = await connectStdio(node, [program], env);
  assert.equal((await first.listTools()).length, tools.length);
  const summary = await first.call('get_account_summary', {});
  assert.equal(summary.body.simulated, true, JSON.stringify(summary.body));
  const { body } = await first.call('list_positions', { ticker });
  const { columns, rows } = body as { columns: string[]; rows: unknown[][] };
  const price = Number(rows[0]?.[columns.indexOf('currentPrice')]);
  const order = { ticker, side: 'BUY', quantity: 1, timeValidity: 'GOOD_TILL_CANCEL' };
  const answer = await first.call('place_limit_order', { ...order, limitPrice: Number((price * 0.9).toFixed(2)) });
  await first.close();

  if (orders === 'refused') {
    const { outcome, rule, reason } = answer.body;
    assert.deepEqual({ outcome, rule }, { outcome: 'refused', rule: 'store_unavailable' }, JSON.stringify(answer.body));
    // What is missing, and how to get it.
    assert.match(String(reason), /(no SQLite is installed|is older than).*@photostructure\/sqlite/);
    return;
  }
  assert.equal(answer.body.outcome, 'placed', JSON.stringify(answer.body));
  const second = await connectStdio(node, [program], env);
  const later = await second.call('list_orders', {});
  await second.close();
  assert.ok((later.body.rows as unknown[][]).flat().includes(answer.body.orderId), 'the order was not found again');
}
