/** The one file of each skill, and the entry by which a host checks what it read (SEP-2640). */

import { createHash } from 'node:crypto';
import type { Skill } from '@modelcontextprotocol/server/ext/skills';
import type { SkillDefinition, SkillName } from './skill-definitions.ts';

/** Returns the Markdown of a skill, with its name and description in front. */
export const writeSkill = ({ name, description }: SkillDefinition): string =>
  // JSON is YAML, so a quoted text needs no further escape.
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${skillTexts[name]}`;

/** Returns the entry of a skill: its name and description, and the size and digest of the file at `uri`. */
export function describeSkill(skill: SkillDefinition, uri: string): Skill {
  const { name, description } = skill;
  const bytes = Buffer.from(writeSkill(skill));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { uri, frontmatter: { name, description }, resources: [{ uri, digest, size: bytes.length }] };
}

// The texts of the skills: how to use the tools for one kind of request. Only a host that reads skills needs them, so
// they are loaded with the first request for one.

const figures = `## Figures

- Take every figure from a tool result, and name its currency. Amounts are exact strings; do not round before the end.
- Amounts of different currencies are never added. GBX is pence: 100 GBX are 1 GBP.
- \`complete: false\` means that rows are missing. Say so, and call the same tool again after \`retryAfterSeconds\`.
- \`unmatched\`, \`remarks\` and failed \`checks\` belong in your reply. A figure that is missing is unknown, not zero.`;

export const skillTexts: Readonly<Record<SkillName, string>> = {
  'portfolio-questions': `# Portfolio questions

| question | tool |
|---|---|
| What do I own, and how is it doing? | \`list_positions\`, \`get_account_summary\` |
| How is it spread, and what is too large? | \`analyze_portfolio\` by instrument, currency, country or type |
| Dividends by month, by company, to come | \`summarize_dividends\` with \`groupBy\`, \`project: true\` for a projection |
| Gains of sales | \`summarize_realised_gains\`; \`method\` decides how sales and purchases are matched |
| How much have I made in all, per year? | \`calculate_returns\` |
| How did I do this year, this month, today? | \`calculate_returns\` with \`period\`; when it does not know the value at the start, ask the user for it |
| What has one holding made, with its dividends? | \`calculate_returns\` with \`ticker\` |
| What changed since last week, or since I last asked? | \`get_changes\` |
| What did it cost? | \`summarize_costs\` |
| Single orders, dividends, deposits | \`fetch_history\` |

Ask for the range that the user means: \`since\` is inclusive, \`until\` exclusive. A first question over a long history takes minutes; the result says how long, and that \`import_history\` is faster.

${figures}
`,
  'draft-orders': `# Drafting orders

1. \`plan_orders\` computes the legs: \`goal\` is \`invest\`, \`rebalance\` or \`raise\`. Do not compute quantities yourself. For orders that the user chose one by one, use \`save_draft\`.
2. Show all legs with side, quantity, estimated value and charges; the weights before, target and after; the cash before and after; what is left and why; what was dropped and why; the gain of each sale; and every rule that a leg breaks. \`message\` has it in short, and \`next\` what to do.
3. Change the plan by calling \`plan_orders\` again with other arguments. The user can remove legs and lower quantities with \`brokerage-mcp drafts edit\`.
4. Stop there until the user says yes to exactly this draft and version. Then \`submit_draft\`, if the server has it; otherwise the user runs \`brokerage-mcp drafts submit\`.
5. \`submit_draft\` with the same draft and version returns the state of the submission: it never sends twice. While it waits, call again after \`retryAfterSeconds\`. Report each leg by its exact outcome. \`unknown\` means that the order may be live: do not place it again.

A draft sends nothing and expires after seven days. Prices are those of the last read, so the fills will differ. Give facts and let the user decide.

${figures}
`,
  'uk-tax-return': `# Figures for a UK tax return

1. \`summarize_realised_gains\` with \`taxYear\` and \`method: "uk_section_104"\`. \`taxReturn\` has the totals of form SA108; 2024/25 is split at 30 October 2024.
2. \`unmatched\` lists sales without a known cost, with the command that enters it: shares that were transferred in need \`brokerage-mcp cost-basis\`. Ask the user for date and cost; never guess them.
3. \`summarize_dividends\` by \`country\` and by \`treatment\` with the same \`taxYear\`: gross, withheld, and the interest.
4. Ask whether the user holds offshore funds. Their excess reportable income is not in the account; it belongs in \`eri.csv\`.
5. \`summarize_costs\` with the same \`taxYear\`.
6. \`brokerage-mcp tax-pack --year 2025/26 --out FOLDER\` writes all of it as one page and CSV files, with each match.

An ISA does not count, other accounts are missing, and sales of the last 30 days can still change. A person must check the figures; they are no tax advice.

${figures}
`,
};
