/** A person is shown what happened, and never what a tool's result tells the model to do. */

import { describe, expect, test } from 'vitest';
import type { ApprovalMethod } from '../../../src/core/orders/intent/approval-methods.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import { toOutcome } from '../../../src/core/orders/intent/outcome.ts';
import { intentStates } from '../../../src/core/orders/intent/states.ts';
import { orderSentences, orderTitles, ruleTitles } from '../../../src/core/text/outcome-sentences.ts';
import { draftSentences, draftTitles } from '../../../src/features/drafts/draft-sentences.ts';
import { type DraftModel, readDraft } from '../../../src/features/views/model/read-draft.ts';
import { readTicket, type TicketModel } from '../../../src/features/views/model/read-ticket.ts';
import { drawDraft } from '../../../src/features/views/render/draw-draft.ts';
import { drawTicket } from '../../../src/features/views/render/draw-ticket.ts';
import { plan, stoppedDraft, ticket } from './answers.ts';
import { findModelText, wordsOf } from './model-text.ts';

const now = Date.parse('2026-03-16T09:30:23Z');
const look = { locale: 'en-GB', timeZone: 'UTC', now };
const drawOrder = (answer: object) => drawTicket(readTicket({ ...answer }) as TicketModel, look).markup;
const draw = (answer: object) => drawDraft(readDraft({ ...answer }) as DraftModel, look).markup;

test('what is for a model is found', () => {
  expect(findModelText('<p>Call get_order. Tell the user. max_order_value</p>')).toEqual([
    'get_order',
    'Tell the user',
    'get_order',
    'max_order_value',
  ]);
  expect(findModelText('<p class="a_b">HLDN_US_EQ <code>a_b</code></p>')).toEqual([]);
});

describe('a ticket', () => {
  test.each(intentStates)('of an order in the state %s', (state) => {
    const { intentId, outcome, message, next } = toOutcome({ id: ticket.intentId, state } as Intent, now);
    const markup = drawOrder({ ...ticket, intentId, outcome, message, next, approval: undefined });
    expect(findModelText(markup)).toEqual([]);
    expect(markup).toContain(`<p class="title">${orderTitles[outcome].title}</p>`);
    expect(wordsOf(markup)).toContain(orderSentences[outcome]);
  });

  const places: Readonly<Record<ApprovalMethod, readonly [string, string]>> = {
    page: ['Approve it on its page, on the computer that runs the server.', 'In a terminal:'],
    terminal: ['Approve it in a terminal:', ''],
    elicitation: ['Approve it in the form that your program shows.', 'In a terminal:'],
  };
  test.each(Object.entries(places))(
    'that waits for an approval by %s says where it is given',
    (method, [first, second]) => {
      const markup = drawOrder({ ...ticket, approval: { ...ticket.approval, method } });
      expect(findModelText(markup)).toEqual([]);
      const text = wordsOf(markup);
      expect(text).toContain(first);
      expect(text.indexOf(second)).toBeGreaterThanOrEqual(second === '' ? 0 : text.indexOf(first));
    },
  );

  test('whose time is over', () => {
    expect(findModelText(drawOrder({ ...ticket, asOf: '2026-03-16T09:00:00Z', approval: { secondsLeft: 1 } }))).toEqual(
      [],
    );
  });
});

describe('a draft', () => {
  const outcomes = Object.keys(draftTitles) as (keyof typeof draftTitles)[];

  test.each(outcomes)('whose attempt is %s', (outcome) => {
    const next = 'Tell the user. Call list_drafts again.';
    const markup = draw({ ...stoppedDraft, submission: { ...stoppedDraft.submission, outcome, next, message: next } });
    expect(findModelText(markup)).toEqual([]);
    expect(wordsOf(markup)).toContain(draftSentences[outcome]);
  });

  test.each(Object.entries(ruleTitles))('that the rule %s refuses', (rule, title) => {
    const refused = { rule, leg: 1, reason: 'It is so.', next: 'Tell the user.' };
    const rows = plan.rows.map((row) => row.with(plan.columns.indexOf('rule'), rule));
    for (const markup of [draw({ ...plan, refused, rows }), draw({ ...stoppedDraft, refused })]) {
      expect(findModelText(markup)).toEqual([]);
      expect(wordsOf(markup)).toContain('Order 1: It is so.');
    }
    const bare = draw({ ...plan, refused: { ...refused, reason: undefined }, rows });
    expect(findModelText(bare)).toEqual([]);
    expect(wordsOf(bare)).toContain(`Refused: order 1, ${title}.`);
  });

  test('with an order of each outcome', () => {
    const legs = Object.keys(orderTitles).map((outcome, index) => ({ leg: index + 1, order: 'BUY 1 A', outcome }));
    expect(findModelText(draw({ ...stoppedDraft, submission: { ...stoppedDraft.submission, legs } }))).toEqual([]);
  });
});
