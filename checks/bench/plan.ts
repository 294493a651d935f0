/** How long a plan of 30 legs takes this program, with the account and its history in the store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import { endpoints } from '../../src/core/endpoints/index.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { demoConfig } from './demo-config.ts';
import { median } from './median.ts';

export interface PlanFigures {
  readonly legs: number;
  readonly sells: number;
  readonly fills: number;
  /** Processor time of this process, the simulated service included. */
  readonly ms: number;
}

const legs = 30;
const runs = 9;

export async function measurePlan(): Promise<PlanFigures> {
  const clock = createManualClock({ startAt: Date.UTC(2026, 0, 15, 15, 0, 0), auto: true });
  const credentials = { key: 'bench-key', secret: 'bench-secret' };
  const simulator = await startSimulator({ clock, credentials });
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-plan-'));
  const composed = createApp(
    { ...demoConfig({ origin: simulator.origin, credentials }, stateDir), readOnly: true },
    { clock },
  );
  const call = async (name: string, args: object) => {
    const { signal } = new AbortController();
    const result = await runTool(tools, name, args, composed.services, { signal });
    if (result.isError) throw new Error(`${name}: ${result.text}`);
    return result.body;
  };
  try {
    while ((await call('summarize_realised_gains', { method: 'average' })).complete !== true)
      await clock.advance(60_000);
    const args = await chooseTargets(simulator.groundTruth().positions, composed);
    const times: number[] = [];
    let body = await call('plan_orders', args);
    for (let run = 0; run < runs; run++) {
      const from = process.cpuUsage();
      body = await call('plan_orders', args);
      const { user, system } = process.cpuUsage(from);
      times.push((user + system) / 1000);
    }
    if (body.legs !== legs) throw new Error(`The plan has ${String(body.legs)} legs.`);
    const sides = (body.rows as unknown[][]).map((row) => row[(body.columns as string[]).indexOf('side')]);
    const fills = simulator.groundTruth().history.filter(({ fill }) => fill !== undefined).length;
    return { legs, sells: sides.filter((side) => side === 'SELL').length, fills, ms: median(times) };
  } finally {
    await composed.close();
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** All that is held without pies, and other stocks with an assumed price, each with an equal part. */
async function chooseTargets(
  positions: readonly { readonly ticker: string; readonly quantityInPies: string }[],
  { services }: ReturnType<typeof createApp>,
) {
  const { signal } = new AbortController();
  const context = { signal, deadlineAt: services.clock.now() + 50_000, priority: 'read' } as const;
  const { data } = await services.broker.call(endpoints.listInstruments, {}, context);
  const held = new Set(positions.map(({ ticker }) => ticker));
  const free = positions.filter(({ quantityInPies }) => Number(quantityInPies) === 0).map(({ ticker }) => ticker);
  const others = data
    .filter(({ type, currencyCode, ticker = '' }) => type === 'STOCK' && currencyCode === 'GBX' && !held.has(ticker))
    .flatMap(({ ticker }) => ticker ?? [])
    .slice(0, legs - free.length);
  return {
    goal: 'rebalance',
    band: 0,
    method: 'uk_section_104',
    amount: 5_000,
    targets: [...free, ...others].map((ticker) => ({ ticker, weightPercent: '3.3' })),
    assumedPrices: others.map((ticker) => ({ ticker, price: 300 })),
  };
}
