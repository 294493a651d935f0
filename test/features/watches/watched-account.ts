/** The account of a simulator that is watched from its first sight on. */
import { expect, onTestFinished } from 'vitest';
import { tools } from '../../../src/app/registry.ts';
import { runTool } from '../../../src/core/mcp/run-tool.ts';
import type { Channel, Message } from '../../../src/features/watches/notify/channel.ts';
import { createRound } from '../../../src/features/watches/watch-loop.ts';
import type { WatchQuestion } from '../../../src/features/watches/watch-rules.ts';
import { type SetupOptions, setup } from '../../support/setup.ts';

export const minute = 60_000;
export const held = 'QWRLDl_EQ';

/** A watched account. `pass` runs a round after each minute that passes, as the loop does. */
export async function watch(options: SetupOptions = {}, given?: readonly Channel[]) {
  const parts = await setup(options);
  const { composed, clock } = parts;
  const messages: Message[] = [];
  const channel: Channel = { name: 'url', send: async (message) => void messages.push(message) };
  const deps = composed.watching.connect(given ?? [channel], (name, args, callOptions) =>
    runTool(tools, name, args, composed.services, callOptions),
  );
  const round = createRound(deps, new AbortController().signal);
  onTestFinished(() => round.end());
  const pass = async (minutes = 1) => {
    for (let passed = 0; passed < minutes; passed++) {
      await clock.advance(minute);
      await round.run();
    }
  };
  const events = async () => {
    const kept = await composed.watching.listEvents({ foundSince: 0, most: 100 });
    return kept.map(({ event }) => event).toReversed();
  };
  const add = (question: WatchQuestion) => composed.watching.book.add(question);
  await round.run();
  // The histories are read in the background until their first sight is complete.
  await expect
    .poll(
      async () => {
        await pass();
        const account = await deps.accountKey();
        const sight = await deps.delivery.store.read((tx) => tx.findSight(account));
        return Object.keys(sight?.sources ?? {}).toSorted();
      },
      { timeout: 20_000 },
    )
    .toEqual(['approvals', 'dividends', 'drafts', 'fees', 'halt', 'intents', 'orders', 'submissions']);
  return { ...parts, deps, round, pass, events, add, messages };
}
