/** A port of 127.0.0.1 that nothing listens on. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to whoever asks for any (from 32768 on Linux, 49152 elsewhere): one of those could go
 * to a test beside this one before it is used.
 */
const range = [20_000, 32_000] as const;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(...range);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      // Another program has it.
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error(`No port of ${range.join(' to ')} is free.`);
}
