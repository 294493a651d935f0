/** Driving a real model: the loop, its failures, and finding the figures in the text that it writes. */
// @module-tag process
import { describe, expect, test } from 'vitest';
import { all } from '../../evals/all.ts';
import { chatModel } from '../../evals/models/chat.ts';
import { playEval } from '../../evals/run/run-eval.ts';
import { numbersIn, saysFigure } from '../../evals/run/text-figures.ts';
import type { Called, Eval, Hands } from '../../evals/types.ts';
import {
  type ChatReply,
  type ChatRequest,
  calls,
  idealModel,
  says,
  startFakeModel,
  toolTexts,
} from '../support/fake-model.ts';

const evalOf = (id: string): Eval => {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};

const key = 'a-key-that-nobody-may-see';
const options = {
  binary: 'dist/brokerage-mcp.cjs',
  limitScale: 0.01,
  instrumentCount: 300,
  phases: ['cold'],
  requestsCount: false,
} as const;

/** Tools without a server. */
function stubHands(answer: (tool: string) => Promise<object> = async () => ({ fine: true })) {
  const called: Called[] = [];
  const hands: Hands = {
    now: () => Date.UTC(2026, 0, 15, 15),
    listTools: async () => [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
    call: async (tool, args) => {
      const one = { tool, args, isError: false, body: await answer(tool) };
      called.push(one);
      return one;
    },
    run: async () => {
      throw new Error('a model runs no command');
    },
  };
  return { hands, called };
}

async function converse(
  reply: (request: ChatRequest['body'], round: number) => ChatReply,
  { timeoutMs = 5_000, hands = stubHands() }: { timeoutMs?: number; hands?: ReturnType<typeof stubHands> } = {},
) {
  const fake = await startFakeModel(reply);
  const model = chatModel({ url: fake.url, name: 'fake-1', key, timeoutMs });
  const said = await model.play(evalOf('free-cash'), hands.hands);
  return { said, called: hands.called, requests: fake.requests };
}

describe('a model behind an address', () => {
  test('that makes the ideal calls passes on a real server', { tags: ['slow'] }, async () => {
    const evaluation = evalOf('pounds-for-pence');
    const fake = await startFakeModel(idealModel(evaluation));
    const [play] = await playEval(evaluation, chatModel({ url: fake.url, name: 'fake-1' }), options);
    expect(play?.problems).toEqual([]);
    expect(play?.called.map(({ tool }) => tool)).toEqual(evaluation.calls.map((step) => 'tool' in step && step.tool));
    // It got the tools of the server, with their schemas.
    const shown = fake.requests[0]?.body.tools.map((tool) => tool.function);
    expect(shown?.find(({ name }) => name === 'place_limit_order')?.parameters).toMatchObject({
      required: expect.arrayContaining(['ticker', 'side', 'quantity', 'limitPrice']),
    });
  });

  test('that buys when asked for a preview, and states a wrong figure, fails for both', {
    tags: ['slow'],
  }, async () => {
    const order = '{"ticker":"QVELT_US_EQ","side":"BUY","quantity":5}';
    const fake = await startFakeModel((_, round) =>
      round === 0 ? calls(['place_market_order', order]) : says('Done: they cost £1.00.'),
    );
    const [play] = await playEval(evalOf('only-a-preview'), chatModel({ url: fake.url, name: 'fake-1' }), options);
    expect(play?.problems).toContain('nobody asked for BUY 5 QVELT_US_EQ MARKET');
    expect(play?.problems).toContainEqual(expect.stringMatching(/^the text does not say cost: \d+\.\d\d$/));
  });

  test('gets the time and the request, and its key in the header only', async () => {
    const { requests } = await converse(() => says('Nothing.'));
    expect(requests[0]?.authorization).toBe(`Bearer ${key}`);
    const text = JSON.stringify(requests[0]?.body);
    expect(text).toContain('2026-01-15T15:00:00.000Z');
    expect(text).toContain(evalOf('free-cash').words);
    expect(text).not.toContain(key);
  });

  test('can correct arguments that were no JSON object', async () => {
    const replies = [calls(['look', '{"a": ']), calls(['look', '[1]']), calls(['look', '{"a":1}']), says('Seen.')];
    const { said, called, requests } = await converse((_, round) => replies[round] as ChatReply);
    expect(said).toEqual({ text: 'Seen.' });
    expect(called.map(({ args }) => args)).toEqual([{ a: 1 }]);
    const told = toolTexts(requests.at(-1)?.body as ChatRequest['body']);
    expect(told.filter((text) => text.includes('not a JSON object'))).toHaveLength(2);
  });

  test('may call several tools in a round, up to a limit', async () => {
    const many = Array.from({ length: 20 }, () => ['look', ''] as const);
    const { called, requests } = await converse((_, round) => (round === 0 ? calls(...many) : says('Seen.')));
    expect(called).toHaveLength(16);
    expect(toolTexts(requests[1]?.body as ChatRequest['body'])).toHaveLength(20);
  });

  test('that never finishes is stopped after twelve rounds', async () => {
    const { said, called } = await converse(() => calls(['look', '{}']));
    expect(said).toEqual({ failed: 'the model had not answered after 12 rounds' });
    expect(called).toHaveLength(12);
  });

  test('that does not respond is given up in time', async () => {
    const { said } = await converse(() => 'hangs', { timeoutMs: 150 });
    expect(said).toEqual({ failed: 'the model did not answer in time' });
  });

  test('is given up in time while a tool runs', async () => {
    const hands = stubHands(() => new Promise(() => undefined));
    // Long enough for the reply of the model on a loaded machine.
    const { said } = await converse(() => calls(['look', '{}']), { timeoutMs: 1_500, hands });
    expect(said).toEqual({ failed: 'the time for the conversation ran out during a tool call' });
  });

  test.each<[string, ChatReply, RegExp]>([
    ['refuses', { finish_reason: 'stop', message: { refusal: 'I cannot.' } }, /^the model refused: I cannot\.$/],
    ['is withheld', { finish_reason: 'content_filter', message: { content: '' } }, /content_filter/],
    ['is cut', { finish_reason: 'length', message: { content: 'The ca' } }, /was cut/],
    ['says nothing', says('  '), /said nothing/],
    ['fails', { status: 500, text: 'overloaded' }, /^the model’s service answered 500: overloaded$/],
    ['is over its limit', { status: 429, text: '{"error":"slow down"}' }, /answered 429/],
    ['sends no JSON', { status: 200, text: '<html>' }, /answered with no JSON: <html>/],
    ['sends no choice', { status: 200, text: '{"choices":[]}' }, /without a message/],
  ])('that %s is a failure in one sentence, without the key', async (_, reply, sentence) => {
    const { said } = await converse(() => reply);
    expect(said).toEqual({ failed: expect.stringMatching(sentence) });
    expect(JSON.stringify(said)).not.toContain(key);
  });

  test('that cannot be reached is a failure too', async () => {
    const model = chatModel({ url: 'http://127.0.0.1:9/v1', name: 'nobody', key });
    expect(await model.play(evalOf('free-cash'), stubHands().hands)).toEqual({
      failed: expect.stringMatching(/^the model’s service cannot be reached: /),
    });
  });
});

describe('figures in a text', () => {
  test.each([
    ['£1,234.50', '1234.50'],
    ['1 234.50 GBP', '1234.50'],
    ['1\u202f234,50 £', '1234.50'],
    ["1'234.50", '1234.50'],
    ['1.234,50', '1234.50'],
    ['2025-01 175.68', '175.68'],
    ['1234.567', '1234.567'],
    ['12,30 €', '12.30'],
    ['**£1234.5**', '1234.50'],
    ['12,345,678.90', '12345678.90'],
    ['−£12.30', '-12.30'],
    ['-12.30', '-12.30'],
    ['£-12.30', '-12.30'],
    ['(£12.30)', '-12.30'],
    ['a loss of £12.30', '-12.30'],
    ['down 12.30', '-12.30'],
    ['fees: -£12.30', '12.30'],
    ['19 holdings', '19'],
    ['order 50023568839.', '50023568839'],
    ['Noonvik UTILITIES plc', 'Noonvik Utilities plc'],
  ])('%j contains %s', (text, expected) => {
    expect(saysFigure(text, 'figure', expected)).toBe(true);
  });

  test.each([
    ['£1,234.51', '1234.50'],
    ['£11,234.50', '1234.50'],
    ['1,234', '1234.50'],
    ['a gain of £12.30', '-12.30'],
    ['£12.30', '-12.30'],
    ['-£12.30', '12.30'],
    ['190 holdings', '19'],
    ['order 500235688390', '50023568839'],
    ['nothing at all', '0.00'],
  ])('%j does not contain %s', (text, expected) => {
    expect(saysFigure(text, 'figure', expected)).toBe(false);
  });

  test('a percentage may be rounded to a tenth, an amount may not', () => {
    expect(saysFigure('44.1 %', 'sharePercent', '44.05')).toBe(true);
    expect(saysFigure('44 %', 'sharePercent', '44.06')).toBe(false);
    expect(saysFigure('44.1', 'share', '44.05')).toBe(false);
  });

  test('a date is not a sum of amounts', () => {
    expect(numbersIn('since 2025-04-06').map(({ value }) => value.toFixed())).toContain('2025');
  });
});
