/** What happens to the account of the simulator arrives at a real receiver as a sentence, once. */
// @module-tag server
import { expect, test } from 'vitest';
import { createChannels } from '../../../src/features/watches/notify/channels.ts';
import { openMarketsAt, order, type SetupOptions } from '../../support/setup.ts';
import { createTestConfig } from '../../support/test-config.ts';
import { buys, submit } from '../drafts/submission/support.ts';
import { startHttpReceiver } from './notify/http-receiver.ts';
import { held, watch } from './watched-account.ts';

const dayMs = 86_400_000;

/** A watched account, all of whose messages with full detail go to a receiver. */
async function watchWithReceiver(config: SetupOptions['config'] = {}) {
  const receiver = await startHttpReceiver();
  const url = { address: `http://127.0.0.1:${receiver.port}/`, style: 'json' } as const;
  const notify = { detail: 'full', url } as const;
  const channels = createChannels(createTestConfig('/nowhere', { notify }), { env: {} });
  const watched = await watch({ startAt: openMarketsAt, config: { notify, ...config } }, channels);
  return { ...watched, received: () => receiver.received.map(({ body }) => body) };
}

test('approval_waits: an order that waits for a person', async () => {
  const { call, composed, clock, round, pass, received } = await watchWithReceiver({ approval: 'terminal' });
  await composed.security.enrol({ passphrase: 'only the owner knows this', approval: 'terminal', limits: {} });
  const { body } = await call('place_limit_order', order);
  expect(body.outcome).toBe('pending_approval');
  clock.jumps = false;
  await round.run();
  clock.jumps = true;
  expect(received()).toEqual([
    {
      title: 'Approval needed (demo)',
      text: expect.stringMatching(/^An order of QNOON waits for you until .+\.$/),
      urgency: 'high',
    },
  ]);
  // It is over, and that is no event.
  await pass(20);
  expect(received()).toHaveLength(1);
});

test('draft_due: a recurring plan made a draft', async () => {
  const { call, composed, clock, pass, received } = await watchWithReceiver();
  const targets = [{ ticker: held, weightPercent: 100 }];
  await call('plan_orders', { goal: 'invest', amount: 200, targets, every: 'week friday' });
  await pass(1);
  expect(received()).toEqual([]);
  await clock.advance(dayMs);
  await composed.services.recurringPlans.tick();
  await pass(3);
  expect(received()).toEqual([
    {
      title: 'Draft due (demo)',
      text: expect.stringMatching(
        // A name has no sign that separates facts.
        /^A recurring plan has a draft with 1 order that is due\. Nothing is sent until you submit it\. The plan is “Invest 200\.00 in one instrument weekly on Friday”\.$/,
      ),
      urgency: 'normal',
    },
  ]);
});

test('draft_stopped: the service refuses the second of three orders', async () => {
  const made = await watchWithReceiver();
  made.simulator.faults.push({ endpoint: 'placeLimitOrder', after: 1, kind: 'status', status: 400 });
  const { body } = await submit(made, buys(3));
  expect(body.outcome).toBe('stopped');
  await made.pass(1);
  const stopped = made.received().filter((message) => (message as { title: string }).title === 'Draft stopped (demo)');
  expect(stopped).toEqual([
    {
      title: 'Draft stopped (demo)',
      text: expect.stringMatching(/^A draft stopped after 1 of 3 orders\./),
      urgency: 'normal',
    },
  ]);
});

test('fee_arrived: the account is charged a fee', async () => {
  const { simulator, pass, received } = await watchWithReceiver();
  simulator.inject.fee('12.50');
  await pass(3);
  expect(received()).toEqual([{ title: 'Fee charged (demo)', text: 'A fee of £12.50 was charged.', urgency: 'low' }]);
  await pass(3);
  expect(received()).toHaveLength(1);
});
