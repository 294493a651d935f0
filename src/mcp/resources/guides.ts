/** The two guides, in the words that people and models need before they act. */
import { type Endpoint, endpoints } from '../../catalogue/index.ts';

export const ordersGuide = `# How orders are placed here

1. \`search_instruments\` gives the exact ticker. Prices are in the instrument's currency; GBX is pence, a hundredth of a pound.
2. \`preview_order\` checks an order and estimates its cost. It sends nothing.
3. One call of a \`place_…\` tool is one order. \`side\` gives the direction, \`quantity\` is positive.
4. In live, a person approves each order; until then the outcome is \`pending_approval\`, and \`get_order\` with the intentId and \`waitSeconds\` follows it.

| outcome | does an order exist? | what next |
|---|---|---|
| placed | yes | \`get_order\` follows it to the fill |
| pending_approval | not yet | a person decides; the approval ends after two minutes |
| declined, expired, refused, rejected, not_sent | no | read \`rule\`, \`reason\` or \`message\` |
| unknown | perhaps | do not place it again; \`get_order\` with the intentId searches for it |

The same order within a short time is taken for a repetition and answered with the first one. A second one that is meant takes \`repeatOf\` with the first one's intentId.

\`cancel_order\` asks for the cancellation; the order can still be filled before it takes effect.
`;

/** The limits as the specification gives them, from the definitions. */
export function limitsGuide(): string {
  const rows = Object.values<Endpoint>(endpoints).flatMap(({ method, path, limit }) =>
    limit ? [`| ${method} ${path} | ${limit.requests} per ${limit.periodSeconds} s |`] : [],
  );
  return `# Rate limits and history

Limits belong to the account, whatever key or program asks; this server keeps them for all programs that share its state folder, and adopts what the service says in its answers. \`get_server_status\` shows what is left.

| endpoint | allowance |
|---|---|
${rows.join('\n')}

- A call that has to wait says so; \`retryAfterSeconds\` in an error says when the same call can succeed.
- Identical reads within one period are one request.
- Orders, dividends and transactions are read once, in the background, and kept. After that a question costs the newest page at most. \`complete\` and \`coverage\` say what is there.
- A report (\`request_export\`, \`list_exports\`, \`download_export\`) covers a year in two or three requests and fills the history where pages do not reach.
`;
}
