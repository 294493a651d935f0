/** Our own readers give the same figures whichever of the reported forms a service has. */
// @module-tag server
import { expect, test } from 'vitest';
import type { Quirks } from '../../../src/simulator/index.ts';
import { setup } from '../../support/setup.ts';

/** Costs and portfolio of one account, without the times of the reads. */
async function readFigures(quirks: Partial<Quirks>) {
  const { call, clock, composed } = await setup({ quirks });
  const ask = async (tool: string, args: Record<string, unknown>) => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { isError, body } = await call(tool, args);
      expect(isError, JSON.stringify(body)).toBe(false);
      if (body.complete !== false) return body;
      await clock.advance(60_000);
    }
    throw new Error(`${tool} was not complete`);
  };
  const portfolio = await ask('analyze_portfolio', { by: 'currency' });
  const costs = await ask('summarize_costs', { groupBy: 'name' });
  await composed.close();
  return { costs: [costs.total, costs.rows], portfolio: [portfolio.fxImpact, portfolio.rows, portfolio.note] };
}

test('the sign of a charge and the form of a missing currency effect change no figure', {
  tags: ['slow'],
}, async () => {
  const first = await readFigures({ taxSign: 'negative', ownFxImpact: 'null' });
  expect(Number(first.costs[0])).toBeGreaterThan(100);
  expect(first.portfolio.slice(0, 2)).toEqual([expect.any(String), expect.any(Array)]);
  expect(await readFigures({ taxSign: 'positive', ownFxImpact: 'absent' })).toEqual(first);
  expect(await readFigures({ taxSign: 'positive', ownFxImpact: 'zero' })).toEqual(first);
});
