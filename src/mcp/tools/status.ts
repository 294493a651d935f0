import * as z from 'zod';
import { refusal } from '../../orders/rules.ts';
import { defineTool } from '../tool.ts';

export const getServerStatus = defineTool({
  name: 'get_server_status',
  title: 'Server status',
  toolset: 'status',
  effect: 'reads',
  endpoints: [],
  description:
    'Environment, whether orders can be placed and why not, open intents, and what is left of each rate limit. Sends nothing.',
  input: z.strictObject({}),
  output: { trading: z.looseObject({}), limits: z.array(z.array(z.unknown())), openIntents: z.number() },
  run: async (_args, call) => {
    const { config } = call;
    const refused = refusal(config);
    const missing = config.environment !== 'sandbox' && (!config.baseUrl || !config.credentials);
    return {
      fields: {
        readOnly: config.readOnly,
        toolsets: config.toolsets,
        configured: !missing,
        ...(missing ? { note: `${config.environment} needs a base URL and a key pair before it can answer.` } : {}),
        trading: config.readOnly
          ? { state: 'off', rule: 'read_only', reason: 'The server was started read-only.' }
          : refused
            ? { state: 'off', ...refused }
            : { state: 'on' },
        openIntents: await call.desk.openIntents(),
        limitColumns: ['endpoint', 'limit', 'periodSeconds', 'source', 'free', 'freeInSeconds'],
        limits: (await call.allowance()).map((row) => [
          row.endpoint,
          row.limit,
          row.periodSeconds,
          row.source,
          row.free,
          row.freeInSeconds,
        ]),
      },
    };
  },
});
