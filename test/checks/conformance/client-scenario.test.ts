/** Whether a client's visit detects faults: a correct session passes, and each single fault fails. */
import { expect, test } from 'vitest';
import { type Peer, visit } from '../../../checks/conformance/client-scenario.ts';
import { tools } from '../../../src/app/registry.ts';
import { formatErrorText } from '../../../src/core/mcp/tool-result.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, some of them wrong on purpose.
type Answers = Record<string, any>;

const both = (body: object) => ({ content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body });
const named = (...names: string[]) => names.map((name) => ({ name }));
const position = { instrument: { ticker: 'QNOON_GB_EQ' }, currentPrice: '13.71' };
const refusal = { code: 'invalid_argument', message: '"colour" is not an argument.', next: 'Leave it out.' };
const summary = { env: 'sandbox', simulated: true, currency: 'GBP' };

const called = ['get_account_summary', 'list_positions', 'place_limit_order', 'get_order'];

const right: Answers = {
  listTools: {
    tools: Array.from({ length: tools.length }, (_, index) => ({
      name: called[index] ?? `tool_${index}`,
      description: 'Does something.',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
    })),
  },
  listResources: {
    resources: ['account://summary', 'portfolio://positions', 'guide://orders'].map((uri) => ({ uri })),
  },
  listResourceTemplates: {
    resourceTemplates: [
      'history://{kind}/{year}',
      'instrument://{ticker}',
      'export://{reportId}',
      'draft://{draftId}',
      'audit://today{?before}',
      'ui://brokerage-mcp/{view}',
    ].map((uriTemplate) => ({ uriTemplate })),
  },
  listPrompts: {
    prompts: named(
      ...['portfolio_checkup', 'monthly_review', 'dividend_outlook'],
      ...['tax_year_pack', 'draft_order', 'rebalance', 'invest_monthly', 'harvest_losses'],
    ),
  },
  get_account_summary: both(summary),
  colour: { isError: true, content: [{ type: 'text', text: formatErrorText(refusal) }] },
  list_positions: both({ columns: ['ticker'], rows: [['A'], ['B'], ['C']] }),
  detailed: both({ items: [position] }),
  place_limit_order: both({ outcome: 'placed', orderId: '50' }),
  get_order: both({ order: { id: '50', ticker: 'QNOON_GB_EQ' } }),
  nowhere: new Error('Resource not found: account://nowhere'),
  readResource: {
    contents: [{ uri: 'account://summary', mimeType: 'application/json', text: JSON.stringify(summary) }],
  },
  getPrompt: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Draft an order: three shares of the cheapest' } }],
  },
};

function peerOf(answers: Answers): Peer {
  const give = async (key: string) => {
    const answer = answers[key];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    listTools: () => give('listTools'),
    listResources: () => give('listResources'),
    listResourceTemplates: () => give('listResourceTemplates'),
    listPrompts: () => give('listPrompts'),
    callTool: ({ name, arguments: args }) =>
      give('colour' in args ? 'colour' : args.responseFormat === 'detailed' ? 'detailed' : name),
    readResource: ({ uri }) => give(uri.endsWith('nowhere') ? 'nowhere' : 'readResource'),
    getPrompt: () => give('getPrompt'),
  };
}

test('a visit passes when everything is correct', async () => {
  await expect(visit(peerOf(right))).resolves.toBeUndefined();
});

test('a visit passes where no tool promises structured content and no result has it', async () => {
  const plain = Object.entries(right).map(([name, answer]) => [name, { ...answer, structuredContent: undefined }]);
  const tools = right.listTools.tools.map((tool: object) => ({ ...tool, outputSchema: undefined }));
  const nowhere = right.nowhere;
  await expect(visit(peerOf({ ...Object.fromEntries(plain), listTools: { tools }, nowhere }))).resolves.toBeUndefined();
});

test.each<[string, Answers, RegExp]>([
  ['a tool is missing', { listTools: { tools: right.listTools.tools.slice(1) } }, /every tool is listed/],
  ['a resource is missing', { listResources: { resources: [] } }, /account:\/\/summary is listed/],
  ['a template is missing', { listResourceTemplates: { resourceTemplates: [] } }, /deep/],
  ['a prompt is missing', { listPrompts: { prompts: named('draft_order') } }, /deep/],
  ['the account is not the simulated one', { get_account_summary: both({ ...summary, simulated: false }) }, /deep/],
  [
    'the two forms of an answer differ',
    { get_account_summary: { ...both(summary), structuredContent: { ...summary, currency: 'EUR' } } },
    /get_account_summary says the same twice/,
  ],
  [
    'a client loses the structured form',
    { list_positions: { content: right.list_positions.content } },
    /list_positions says the same twice/,
  ],
  ['a row is cut', { list_positions: both({ columns: ['ticker'], rows: [['A'], ['B']] }) }, /three positions/],
  ['the order is not placed', { place_limit_order: both({ outcome: 'unknown', orderId: '50' }) }, /placed/],
  ['another order is found', { get_order: both({ order: { id: '51', ticker: 'QNOON_GB_EQ' } }) }, /deep/],
  ['an unknown argument is taken', { colour: both(summary) }, /an unknown argument is an error/],
  [
    'an error has a structured form',
    { colour: { ...right.colour, structuredContent: refusal } },
    /an error is text alone/,
  ],
  ['an unknown resource is there', { nowhere: right.readResource }, /Missing expected rejection/],
  ['an unknown resource fails in another way', { nowhere: new Error('Something failed.') }, /did not match/],
  ['the resource is another one', { readResource: { contents: [] } }, /deep/],
  ['the prompt lost its argument', { getPrompt: { messages: [{ role: 'user', content: { text: '' } }] } }, /argument/],
  ['a call fails', { list_positions: right.colour }, /list_positions answered an error/],
])('a visit fails when %s', async (_, wrong, reason) => {
  await expect(visit(peerOf({ ...right, ...wrong }))).rejects.toThrow(reason);
});
