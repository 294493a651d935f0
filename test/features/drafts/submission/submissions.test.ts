/** What a call that submits a draft waits for, what it says meanwhile, and what the response to a form does. */
import { describe, expect, test } from 'vitest';
import { setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { createSubmissions, type DraftFormResponse } from '../../../../src/features/drafts/submission/submissions.ts';
import { passphrase } from './model/world.ts';
import { buy, buys, openWorld, type SmallWorld, type SmallWorldOptions, startAt } from './small-world.ts';

type Host = Parameters<ReturnType<typeof createSubmissions>['submit']>[3];

/** A service, and a draft of so many legs that it can submit. */
async function open(options: SmallWorldOptions & { legs?: number; address?: string; opensBrowser?: boolean } = {}) {
  const { legs = 2, address, opensBrowser = false, ...rest } = options;
  const made = await openWorld(rest);
  const draftId = await made.save(buys(legs));
  const channels: SubmissionDeps['channels'] = { pageUrl: async () => address, opensBrowser } as never;
  const service = createSubmissions({ ...made.program.deps, channels }, made.program.approvals);
  const wanted = { draftId, version: 1 };
  const said: unknown[] = [];
  const progress = (...what: unknown[]) => void said.push(what);
  /** When the work ended, in ms after the start, with its result. */
  const timed = async <Result>(work: Promise<Result>) => {
    let endedAt = 0;
    const result = await made.run(
      work.finally(() => {
        endedAt = made.clock.now() - startAt;
      }),
    );
    return { result, endedAt };
  };
  const submit = (host?: Host, ms?: number, signal?: AbortSignal) =>
    timed(service.submit(wanted, { ...made.contextFor(ms), signal }, progress, host));
  const newest = () => made.store.read(async (tx) => (await tx.listSubmissions({ draftId }))[0]);
  return { made, service, wanted, said, progress, timed, submit, newest };
}

/** The page of the owner approves. */
async function approve(made: SmallWorld, draftId: string) {
  const [found] = await made.store.read((tx) => tx.listSubmissions({ draftId }));
  const answer = { submissionId: found?.id ?? '', digest: found?.approval?.digest ?? '', passphrase };
  expect(await made.run(made.program.approvals.approve({ ...answer, channel: 'page' }))).toEqual({ kind: 'approved' });
}

describe('a call that submits a draft', () => {
  test('follows it until it ends, and counts the legs that were placed', async () => {
    const { submit, said } = await open();
    const { result } = await submit();
    expect(result).toMatchObject({ kind: 'submitted', coalesced: false, report: { outcome: 'done' } });
    expect(result).toMatchObject({ report: { next: 'Follow each order to its fill with get_order.' } });
    expect(result).not.toHaveProperty('ask');
    expect(said).toEqual([
      ['0 of 2 legs are placed', 0, 2],
      ['1 of 2 legs are placed', 1, 2],
    ]);
  });

  test('counts a single leg', async () => {
    const { submit, said } = await open({ legs: 1 });
    await submit();
    expect(said).toEqual([['0 of 1 leg is placed', 0, 1]]);
  });

  test('ends three seconds before its time is up, and sending goes on', async () => {
    const { made, submit } = await open({ limits: { ordersPerMinute: 1 } });
    const { result, endedAt } = await submit();
    expect(result).toMatchObject({ coalesced: false, report: { outcome: 'sending' } });
    expect(endedAt).toBe(47_000);
    await made.pass(30_000);
    expect(made.arrived).toHaveLength(2);
  });

  test('ends when the call is cancelled, and sending goes on', async () => {
    const { made, submit } = await open({ limits: { ordersPerMinute: 1 } });
    const cancelled = new AbortController();
    const work = submit(undefined, undefined, cancelled.signal);
    await made.pass(0);
    cancelled.abort(new DOMException('cancelled', 'AbortError'));
    const { result, endedAt } = await work;
    expect(result).toMatchObject({ report: { outcome: 'sending' } });
    expect(endedAt).toBe(0);
    await made.pass(90_000);
    expect(made.arrived).toHaveLength(2);
  });

  test('that has no time to follow it starts it all the same', async () => {
    const { made, submit } = await open();
    const { result, endedAt } = await submit(undefined, 3_000);
    expect(result).toMatchObject({ report: { outcome: 'sending' } });
    expect(endedAt).toBe(0);
    await made.pass(10_000);
    expect(made.arrived).toHaveLength(2);
  });

  test('is answered with the refusal, and nothing is created', async () => {
    const { made, submit, newest } = await open();
    await made.store.change((tx) => setHalt(tx, { at: startAt, by: 'command', reason: 'A test.' }));
    const { result } = await submit();
    expect(result).toMatchObject({ kind: 'refused', refusal: { rule: 'halted' } });
    expect(await newest()).toBeUndefined();
  });

  test('that is sent twice is told so, and sends nothing itself', async () => {
    const { made, submit } = await open();
    await submit();
    const { result } = await submit();
    expect(result).toMatchObject({ coalesced: true, report: { outcome: 'done' } });
    expect(made.arrived).toHaveLength(2);
  });
});

describe('a draft that waits for a person', () => {
  test('is waited for 40 seconds where the page opens itself, and the call says at which address', async () => {
    const { submit, said } = await open({ approval: 'page', address: 'http://page', opensBrowser: true });
    const { result, endedAt } = await submit();
    expect(result).toMatchObject({ report: { outcome: 'pending_approval', approval: { address: 'http://page' } } });
    expect(endedAt).toBe(40_000);
    expect(said).toEqual([
      ['Waiting for the approval of a human at http://page'],
      ['Waiting for the approval of a human', 0, 2],
    ]);
  });

  test('is waited for no longer than the call may take', async () => {
    const { submit } = await open({ approval: 'page', address: 'http://page', opensBrowser: true });
    const { endedAt } = await submit(undefined, 20_000);
    expect(endedAt).toBe(17_000);
  });

  test('is not waited for where nobody sees the page before the call returns, until the call is repeated', async () => {
    const { submit, said } = await open({ approval: 'page', address: 'http://page' });
    const first = await submit();
    expect(first.endedAt).toBe(0);
    const next =
      'Ask the user to approve or reject it, then call submit_draft with the same arguments for the state. The legs are sent automatically once approved.';
    expect(first.result).toMatchObject({
      ...{ kind: 'submitted', coalesced: false },
      report: { next, approval: { address: 'http://page' } },
    });
    expect(said).toEqual([['Waiting for the approval of a human at http://page']]);
    const second = await submit();
    expect(second.endedAt).toBe(40_000);
    expect(second.result).toMatchObject({ coalesced: true, report: { approval: { address: 'http://page' } } });
  });

  test('without a page is waited for too, and the call names no address', async () => {
    const { submit, said } = await open({ approval: 'terminal' });
    const { result, endedAt } = await submit();
    expect(endedAt).toBe(40_000);
    expect(result).toMatchObject({ report: { outcome: 'pending_approval', approval: { address: undefined } } });
    expect(said).toEqual([['Waiting for the approval of a human', 0, 2]]);
  });

  test('is sent as soon as it is approved, while the call waits', async () => {
    const { made, wanted, submit, said } = await open({ approval: 'page', address: 'http://page', opensBrowser: true });
    const work = submit();
    await made.pass(0);
    await approve(made, wanted.draftId);
    const { result } = await work;
    expect(result).toMatchObject({ report: { outcome: 'done' } });
    expect(made.arrived).toHaveLength(2);
    expect(said.slice(1)).toEqual([
      ['Waiting for the approval of a human', 0, 2],
      ['0 of 2 legs are placed', 0, 2],
      ['1 of 2 legs are placed', 1, 2],
    ]);
  });

  test('is followed by a person to its end, who reads commands', async () => {
    const { made, service, progress, timed } = await open();
    const { id } = await made.submit(buys(1));
    const { result } = await timed(service.follow(id, made.contextFor(), progress));
    expect(result).toMatchObject({ outcome: 'done', next: 'Your broker shows when the orders are filled.' });
    expect(made.arrived).toHaveLength(1);
  });

  test('of which nothing is known is an error', async () => {
    const { made, service, progress } = await open();
    await expect(service.follow('none', made.contextFor(), progress)).rejects.toThrow('A submission has no row.');
  });
});

describe('a host that asks its user', () => {
  test('gets the form at once, which is recorded', async () => {
    const { submit, newest, said } = await open({ approval: 'elicitation' });
    const { result, endedAt } = await submit({ canAsk: true });
    const { nonce, ticket, form } = (await newest())?.approval ?? {};
    expect(endedAt).toBe(0);
    expect(result).toMatchObject({ coalesced: false, report: { outcome: 'pending_approval' }, ask: { nonce, ticket } });
    expect(form).toEqual({ sent: 1 });
    expect(said).toEqual([]);
  });

  test('gets the address of the page at once, and no form is recorded', async () => {
    const { submit, newest, said } = await open({ approval: 'page', address: 'http://page', opensBrowser: true });
    const { result, endedAt } = await submit({ canOpen: true });
    const { nonce, form } = (await newest())?.approval ?? {};
    expect(endedAt).toBe(0);
    expect(result).toMatchObject({ kind: 'submitted', coalesced: false, ask: { nonce, address: 'http://page' } });
    expect(form).toBeUndefined();
    expect(said).toEqual([]);
  });
});

describe('the response to a form', () => {
  /** A draft whose form was sent, and a function that responds to it. Its two legs are 5 and 10. */
  async function asked(options: Parameters<typeof open>[0] = {}) {
    const opened = await open({ approval: 'elicitation', ...options });
    const { made, service, wanted, progress, timed, submit, newest } = opened;
    await submit({ canAsk: true, canOpen: true });
    // A person needs a moment.
    await made.pass(1_000);
    const nonce = (await newest())?.approval?.nonce ?? '';
    const respond = (response: Partial<DraftFormResponse>, host: Host = { canAsk: true }, about = wanted) => {
      const form = { action: 'accept', nonce, confirmLegs: undefined, confirmTotal: undefined, ...response } as const;
      return timed(service.continueAfterForm(about, form, made.contextFor(), progress, host));
    };
    const form = async () => (await newest())?.approval?.form;
    return { ...opened, respond, form };
  }

  const right = { confirmLegs: 2, confirmTotal: '15' };
  const wrong = { confirmLegs: 3, confirmTotal: '16' };
  const typed = (who: string) => `${who} typed 3 and 16; 2 orders with a total of 15.00 are to be approved.`;
  const waits = 'The draft is waiting for the approval of a human; nothing has been sent.';

  test('with the number of orders and their total sends the draft', async () => {
    const { made, respond } = await asked();
    const { result } = await respond(right);
    expect(result).toMatchObject({ report: { outcome: 'done' } });
    expect(made.arrived).toHaveLength(2);
  });

  test('that declines ends the draft, and nothing is sent', async () => {
    const { made, respond } = await asked();
    const { result } = await respond({ ...right, action: 'decline' });
    expect(result).toMatchObject({ report: { outcome: 'declined', reason: 'The form was declined in the host.' } });
    expect(made.arrived).toEqual([]);
  });

  test('that closes the form leaves the draft waiting, and returns at once', async () => {
    const { respond, form } = await asked();
    const { result, endedAt } = await respond({ ...right, action: 'cancel' });
    expect(result).toMatchObject({ report: { outcome: 'pending_approval', message: waits } });
    expect(result?.ask).toBeUndefined();
    expect(endedAt).toBe(1_000);
    expect(await form()).toEqual({ sent: 1, last: 'closed' });
  });

  test('with other numbers asks once more, and says what was wrong', async () => {
    const { respond, form, newest } = await asked();
    const { result, endedAt } = await respond(wrong);
    expect(endedAt).toBe(1_000);
    expect(result?.report).toMatchObject({ outcome: 'pending_approval', message: `${waits} ${typed('The person')}` });
    expect(result?.ask).toMatchObject({ nonce: (await newest())?.approval?.nonce, problem: typed('You') });
    expect(await form()).toEqual({ sent: 2, problem: typed('The person') });
  });

  test('with other numbers a second time asks no more, and the right numbers still approve', async () => {
    const { made, respond, form } = await asked();
    await respond(wrong);
    const { result } = await respond(wrong);
    expect(result?.ask).toBeUndefined();
    expect(result?.report.message).toBe(`${waits} ${typed('The person')}`);
    expect(await form()).toEqual({ sent: 2, last: 'wrong', problem: typed('The person') });
    expect((await respond(right)).result).toMatchObject({ report: { outcome: 'done' } });
    expect(made.arrived).toHaveLength(2);
  });

  test('with other numbers from a host that cannot ask again asks no more', async () => {
    const { respond, form } = await asked();
    const { result } = await respond(wrong, {});
    expect(result?.ask).toBeUndefined();
    expect(await form()).toEqual({ sent: 1, last: 'wrong', problem: typed('The person') });
  });

  test.each([
    ['both fields', {}],
    ['the number', { confirmTotal: '15' }],
    ['the total', { confirmLegs: 2 }],
  ])('without %s is perhaps not from a person: nobody is asked again', async (_, given) => {
    const { respond, form } = await asked();
    const { result } = await respond(given);
    expect(result?.ask).toBeUndefined();
    const said = 'The form was returned without the number of orders and their total.';
    expect(result?.report.message).toBe(`${waits} ${said}`);
    expect(await form()).toEqual({ sent: 1, last: 'empty', problem: undefined });
  });

  test('with other numbers counts its form, although no process recorded that it was sent', async () => {
    const { made, service, wanted, progress, newest } = await open({ approval: 'elicitation' });
    await made.create(wanted);
    expect((await newest())?.approval?.form).toBeUndefined();
    const response = { action: 'accept', nonce: (await newest())?.approval?.nonce ?? '', ...wrong } as const;
    const work = service.continueAfterForm(wanted, response, made.contextFor(), progress, { canAsk: true });
    expect((await made.run(work))?.ask?.problem).toBe(typed('You'));
    expect((await newest())?.approval?.form).toEqual({ sent: 2, problem: typed('The person') });
  });

  test('that closes the form counts its form, although no process recorded that it was sent', async () => {
    const { made, service, wanted, progress, newest } = await open({ approval: 'elicitation' });
    await made.create(wanted);
    const nonce = (await newest())?.approval?.nonce ?? '';
    const response = { action: 'cancel', nonce, confirmLegs: undefined, confirmTotal: undefined } as const;
    await made.run(service.continueAfterForm(wanted, response, made.contextFor(), progress, { canAsk: true }));
    expect((await newest())?.approval?.form).toEqual({ sent: 1, last: 'closed' });
  });

  test('says one order for a draft of one leg', async () => {
    const { respond } = await asked({ legs: 1 });
    const { result } = await respond(wrong);
    expect(result?.ask?.problem).toBe('You typed 3 and 16; 1 order with a total of 5.00 are to be approved.');
  });

  test.each([
    ['an unknown form', { nonce: 'none' }, {}],
    ['another draft', {}, { draftId: 'other' }],
    ['another version', {}, { version: 2 }],
  ])('is ignored when it is about %s', async (_, response, about) => {
    const { made, respond, wanted } = await asked();
    const { result } = await respond({ ...right, ...response }, undefined, { ...wanted, ...about });
    expect(result).toBeUndefined();
    await made.pass(10_000);
    expect(made.arrived).toEqual([]);
  });

  test.each([
    ['account', { accountKey: async () => 'other' }],
    ['environment', { environment: 'live' }],
  ])('is ignored by a process of another %s', async (_, other) => {
    const { made, wanted, progress, newest } = await asked();
    const service = createSubmissions({ ...made.program.deps, ...other }, made.program.approvals);
    const form = { action: 'accept', nonce: (await newest())?.approval?.nonce ?? '', ...right } as const;
    expect(await made.run(service.continueAfterForm(wanted, form, made.contextFor(), progress))).toBeUndefined();
    expect((await newest())?.state).toBe('awaiting_approval');
  });

  test.each(['accept', 'decline', 'cancel'] as const)(
    'decides nothing where the page is required, whether it was opened or not: %s',
    async (action) => {
      const { respond, newest } = await asked({ approval: 'page', address: 'http://page' });
      const { result } = await respond({ ...right, action });
      expect(result).toMatchObject({ report: { outcome: 'pending_approval' } });
      expect(await newest()).toMatchObject({ state: 'awaiting_approval' });
      expect((await newest())?.approval?.form).toBeUndefined();
    },
  );

  test('decides nothing for a draft that no form can show', async () => {
    const { made, respond, newest } = await asked({ legs: 11, address: 'http://page' });
    await respond({ confirmLegs: 11, confirmTotal: '330' });
    await respond({ action: 'decline' });
    expect((await newest())?.state).toBe('awaiting_approval');
    expect(made.arrived).toEqual([]);
  });
});

test('a service that was stopped starts nothing, and its rounds count nothing', async () => {
  const { made, service } = await open();
  await made.submit([buy({ quantity: '9' })]);
  await made.run(service.stop());
  expect(await made.run(service.tick())).toBe(0);
  await made.pass(10_000);
  expect(made.arrived).toEqual([]);
});
