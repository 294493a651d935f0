/** The address does not lead to the service: an unknown name, a port without TLS, certificates of strangers. */
import { openRig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { finishTrial } from '../scenario-run.ts';
import { type Manner, startTlsFront } from '../tls-proxy.ts';
import { isDone, type Scenario, skip } from '../trial-environment.ts';

/** An address other than the upstream's: not even the account can be read. */
export const wrongAddresses: Scenario = {
  name: 'wrong addresses',
  weight: 6,
  short: 1,
  most: 8,
  run: async (bench) => {
    const plain = bench.site.upstream.origin.replace('http:', 'https:');
    const addresses = ['https://campaign.invalid', plain, 'http://127.0.0.1:9'];
    for (let next = 0; !isDone(bench); next++) {
      const BROKER_DEMO_BASE_URL = addresses[next % addresses.length] as string;
      const rig = await openRig(bench.program, bench.site, bench.line, { env: { BROKER_DEMO_BASE_URL } });
      try {
        const server = await rig.server();
        const order = anyOrder(bench.random, bench.site.newQuantity());
        const said = await server.call(order.tool, order.args).said;
        // Without the list of instruments the call fails before an order exists.
        const expected = ['not_sent', 'error:unreachable'];
        const { quantity } = order;
        await finishTrial(rig, {
          quantity,

          said: [said],
          observer: server,
          expected,
          name: BROKER_DEMO_BASE_URL,
        });
      } finally {
        await rig.dispose();
      }
    }
  },
};

/** The account is read over good TLS; the order's own connection meets something else. */
export const tlsFailures: Scenario = {
  name: 'TLS failures',
  weight: 24,
  short: 3,
  run: async (bench) => {
    const front = await startTlsFront(bench.site.upstream.origin);
    if (!front) return skip(bench, 'no certificate could be made (openssl)');
    const { origin: BROKER_DEMO_BASE_URL, authority: NODE_EXTRA_CA_CERTS } = front;
    const manners: readonly Manner[] = bench.short
      ? ['good', 'stranger', 'plain']
      : ['good', 'stranger', 'plain', 'reset', 'silent'];
    const rig = await openRig(bench.program, bench.site, bench.line, {
      env: { BROKER_DEMO_BASE_URL, NODE_EXTRA_CA_CERTS },
    });
    try {
      const [server, observer] = await Promise.all([rig.server(), rig.server()]);
      for (let next = 0; !isDone(bench); next++) {
        const manner = manners[next % manners.length] as Manner;
        // Market orders: their limit is wide from the start, and this address is a new account.
        const { ticker, side, quantity } = anyOrder(bench.random, bench.site.newQuantity()).args;
        front.manner = manner;
        const said = await server.call('place_market_order', { ticker, side, quantity }).said;
        front.manner = 'good';
        const expected = [manner === 'good' ? 'placed' : 'not_sent'];
        await finishTrial(rig, { quantity, said: [said], observer, expected, name: `TLS ${manner}` });
      }
    } finally {
      await rig.dispose();
      await front.close();
    }
  },
};
