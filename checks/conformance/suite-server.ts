/** The product as it serves HTTP, in the sandbox, with the suite's fixtures on top; without a token, because the suite sends none. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { createApp } from '../../src/app/composition-root.ts';
import { type Fault, log } from '../../src/core/log.ts';
import { serveOverHttp } from '../../test/support/http.ts';
import { servedParts } from '../../test/support/setup.ts';
import { createTestConfig } from '../../test/support/test-config.ts';

export interface SuiteServer {
  readonly url: string;
  /** The faults of the product. */
  readonly faults: readonly Fault[];
  close(): Promise<void>;
}

/** What it keeps is below `folder`. */
export async function startSuiteServer(folder: string, overlay: (server: McpServer) => void): Promise<SuiteServer> {
  const stateDir = await mkdtemp(join(folder, 'state-'));
  const config = createTestConfig(stateDir);
  const composed = createApp(config);
  const faults: Fault[] = [];
  const detachLog = log.attach({ redact: (text) => text, keepFault: async (fault) => faults.push(fault) });
  const endings: (() => Promise<void>)[] = [];
  const served = await serveOverHttp({
    open: true,
    overlay,
    parts: await servedParts({ composed }),
    atEnd: (work) => void endings.push(work),
  });
  return {
    url: served.url.href,
    faults,
    close: async () => {
      detachLog();
      for (const end of endings) await end();
      await composed.close();
    },
  };
}
