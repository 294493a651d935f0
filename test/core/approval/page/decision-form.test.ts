import { expect, test } from 'vitest';
import { countdown, decision, guesses } from '../../../../src/core/approval/page/decision-form.ts';
import { ticketPage } from '../../../../src/core/approval/page/order-page.ts';
import { limitBuy, marketSell, viewOf } from './support.ts';

const button = { label: 'Approve', unlockHint: 'HOW TO UNLOCK' };
const answering = { path: '/approve/handle', csrf: 'csrf-1', alert: undefined };

test('both forms of an order go to its page, with the token, the digest and the wrong passphrases that were shown', () => {
  const view = viewOf(limitBuy, { wrongPassphrases: { count: 2, lastAt: 0, locked: [] } });
  const forms = decision(view, answering, button).markup.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const [reject, approve] = forms;
  expect(forms).toHaveLength(2);
  expect(reject).toContain('name="action" value="reject"');
  expect(approve).toContain('name="action" value="approve"');
  for (const form of forms) {
    expect(form).toContain('method="post" action="/approve/handle"');
    expect(form).toContain('name="csrf" value="csrf-1"');
    expect(form).toContain('name="digest" value="digest-1"');
    expect(form).toContain('name="seen" value="2"');
  }
});

test.each([
  [limitBuy, '<button class="button" type="submit">Approve and buy</button>'],
  [marketSell, '<button class="button" type="submit">Approve and sell</button>'],
])('the button that approves says the side of the order', (ticket, button) => {
  expect(ticketPage(viewOf(ticket), answering).markup).toContain(button);
});

test.each([
  [118, '118 seconds', 'max="120" value="118"'],
  [300, '300 seconds', 'max="300" value="300"'],
  [1, '1 second', 'max="120" value="1"'],
])('%i seconds are shown in words, and on a bar of at least two minutes', (secondsLeft, words, bar) => {
  const { markup } = countdown({ secondsLeft }, '/approve/handle');
  expect(markup).toContain(`<span id="left">${words}</span> left`);
  expect(markup).toContain(bar);
});

const alert = { status: 403, title: 'The passphrase is wrong.', next: 'Wait.' };
const wrong = { count: 2, lastAt: 0, locked: [] };
const locked = { ...wrong, locked: ['page'] as const };

test.each([
  ['no message', undefined, 'reject-button'],
  ['a message', alert, 'alert'],
])('with %s the focus is on one thing, so that Enter never approves', (_, shown, id) => {
  const { markup } = ticketPage(viewOf(limitBuy), { ...answering, alert: shown });
  expect(markup.match(/<[^>]* autofocus>/g)).toEqual([expect.stringContaining(`id="${id}"`)]);
});

test('wrong passphrases that were typed before are shown above the order, and only then', () => {
  const markupOf = (wrongPassphrases?: typeof wrong) =>
    ticketPage(viewOf(limitBuy, { wrongPassphrases }), answering).markup;
  const words = guesses(wrong).markup;
  expect(words).toContain('2 wrong passphrases');
  expect(markupOf(wrong).indexOf(words)).toBeGreaterThan(0);
  expect(markupOf(wrong).indexOf(words)).toBeLessThan(markupOf(wrong).indexOf('id="cost"'));
  expect(markupOf()).not.toContain('class="alert guesses"');
});

test.each([
  ['says how to unlock it', undefined, true],
  ['repeats no way out that the message says', alert, false],
])('a page that is locked can reject alone, and %s', (_, shown, hasHint) => {
  const { markup } = decision(viewOf(limitBuy, { wrongPassphrases: locked }), { ...answering, alert: shown }, button);
  expect(markup.match(/name="action" value="\w+"/g)).toEqual(['name="action" value="reject"']);
  expect(markup).not.toContain('name="passphrase"');
  expect(markup.includes('<p class="hint">HOW TO UNLOCK</p>')).toBe(hasHint);
});
