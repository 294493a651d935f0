/** The two guides for people and models to read before they act. */
import { type Endpoint, endpoints } from '../../../core/endpoints/index.ts';

export const ordersGuide = `# How orders are placed

1. \`search_instruments\` returns the exact ticker. Prices are in the instrument's currency; GBX is pence, a hundredth of a pound.
2. \`preview_order\` checks an order and estimates its cost. It sends nothing.
3. Each call to a \`place_…\` tool is one order. \`side\` sets the direction; \`quantity\` is positive.
4. In live, a person approves each order; until then the outcome is \`pending_approval\`, and \`get_order\` with the intentId and \`waitSeconds\` follows it.

| outcome | does an order exist? | next step |
|---|---|---|
| placed | yes | follow it to the fill with \`get_order\` |
| pending_approval | not yet | a person decides; the approval expires after two minutes |
| declined, expired, refused, rejected, not_sent | no | read \`rule\`, \`reason\` or \`message\` |
| unknown | perhaps | do not place it again; call \`get_order\` with the intentId, which searches for it |

An identical order is treated as a repetition while the first one waits, is unknown or is still pending, and within ten minutes after it was sent unless it is known to have ended without a fill: the tool returns the first one with \`coalesced\` and sends nothing. To place a second one on purpose, send \`repeatOf\` with the first one's intentId.

\`cancel_order\` requests cancellation; the order can still fill before it takes effect.
`;

/** Returns the rate limits of the specification, read from the endpoint definitions. */
export function limitsGuide(): string {
  const rows = Object.values<Endpoint>(endpoints).flatMap(({ method, path, limit }) =>
    limit ? [`| ${method} ${path} | ${limit.requests} per ${limit.periodSeconds} s |`] : [],
  );
  return `# Rate limits and history

Limits apply to the account, whichever key or program sends the request. This server tracks them for all programs that share its state folder, and updates them from the service's responses. \`get_server_status\` shows what remains.

| endpoint | limit |
|---|---|
${rows.join('\n')}

- A waiting call reports progress; \`retryAfterSeconds\` in an error is when the same call can succeed.
- Identical reads within one period are one request.
- Orders, dividends and transactions are read once, in the background, and stored. After that a call reads the newest page at most. \`complete\` and \`coverage\` show what is available.
- A report (\`request_export\`, \`list_exports\`, \`download_export\`) covers a year in two or three requests and fills gaps in the history that pages do not cover.
`;
}
