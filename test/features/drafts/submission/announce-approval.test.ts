/** Where a person can approve a draft that waits, and what the host is asked to show. */
import { describe, expect, test } from 'vitest';
import type { DraftApproval } from '../../../../src/core/orders/intent/draft-approval.ts';
import {
  announceApproval,
  getPageUrl,
  type HostAbilities,
} from '../../../../src/features/drafts/submission/announce-approval.ts';
import { describeSubmission } from '../../../../src/features/drafts/submission/describe-submission.ts';
import { paper } from '../../../core/orders/risk/example-account.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openStore } from './attempts.ts';
import { notHeld } from './legs-to-check.ts';
import { startAt, type WaitingOptions, waitingDraft } from './waiting-draft.ts';

/** The page that this process serves has an address for each handle. */
const servesPage = { pageUrl: async (handle: string) => `http://page/${handle}`, opensBrowser: false };
const noPage = { pageUrl: async () => undefined, opensBrowser: false };

interface Case extends WaitingOptions {
  readonly host?: HostAbilities;
  readonly channels?: typeof servesPage | typeof noPage;
  readonly readOnly?: boolean;
}

/** What the caller is told of the draft, and what it is asked to show. */
async function announce({ host, channels = servesPage, readOnly = false, ...options }: Case = {}) {
  const clock = createManualClock({ startAt });
  const store = await openStore(clock.now, waitingDraft(options));
  const processes = { self: 'test', isAlive: () => true };
  const deps = { store, clock, processes, limits: async () => paper, channels, readOnly };
  const { report, submission } = await store.read(async (tx) => {
    const found = await tx.findSubmission('s1');
    if (!found) throw new Error('No draft waits.');
    return { submission: found, report: await describeSubmission(deps, tx, found, 'model') };
  });
  const announced = await (host ? announceApproval(deps, report, host) : announceApproval(deps, report));
  return { deps, report, approval: submission.approval as DraftApproval, announced };
}

const command = '"brokerage-mcp drafts submit d1"';
const inTerminal = `the owner must run ${command} in a terminal`;
const onPage = `The owner must open the address on this machine, or run ${command} in a terminal (in a container: in the terminal).`;
const withoutPage = `The approval page is not available: ${inTerminal}.`;
const withoutForm = `No form was sent to the host; if a passphrase is enrolled, ${inTerminal}.`;
/** A form cannot show a draft of unknown value. */
const unknownValue = { method: 'elicitation', facts: notHeld } as const;

describe('the report says how the draft is approved, and keeps everything else', () => {
  test.each<[string, Case, string, boolean]>([
    ['on the page', {}, onPage, true],
    ['in the terminal, where no page is served', { channels: noPage }, withoutPage, false],
    ['in the terminal, where the server is read-only', { readOnly: true }, withoutPage, false],
    ['in the terminal, which is required', { method: 'terminal' }, `To approve the draft, ${inTerminal}.`, false],
    [
      'in the form',
      { method: 'elicitation', host: { canAsk: true } },
      'The form asks for the number of orders and their total.',
      false,
    ],
    ['in the terminal, where the host shows no forms', { method: 'elicitation' }, withoutForm, false],
    ['on the page, which shows what no form can', { ...unknownValue, host: { canAsk: true } }, onPage, true],
    ['in the terminal, where neither can show it', { ...unknownValue, channels: noPage }, withoutPage, false],
    ['in the terminal, where a read-only server has no page', { ...unknownValue, readOnly: true }, withoutPage, false],
  ])('%s', async (_, given, how, hasAddress) => {
    const { announced, report, approval } = await announce(given);
    const address = hasAddress ? `http://page/${approval.handle}` : undefined;
    expect(announced.report).toEqual({ ...report, approval: { ...report.approval, how, address } });
  });

  test('what became of a form is said where the host shows none now', async () => {
    const { announced } = await announce({
      method: 'elicitation',
      change: ({ approval }) => ({ approval: { ...approval, form: { sent: 1, last: 'closed' } } }),
    });
    expect(announced.report.approval?.how).toBe(
      `The host closed the form; a person may not have seen it. Otherwise, if a passphrase is enrolled, ${inTerminal}.`,
    );
  });
});

describe('the host is asked to show', () => {
  const both = { canAsk: true, canOpen: true };

  test.each<[string, Case, 'form' | 'page' | undefined]>([
    ['the form, if it can', { method: 'elicitation', host: { canAsk: true } }, 'form'],
    ['the form and not an address', { method: 'elicitation', host: both }, 'form'],
    ['no form where it cannot', { method: 'elicitation', host: { canOpen: true } }, undefined],
    ['no form where the page is required', { host: { canAsk: true } }, undefined],
    ['the address of the page, if it can', { host: { canOpen: true } }, 'page'],
    ['the address and not a form', { host: both }, 'page'],
    ['no address where it cannot', { host: {} }, undefined],
    ['nothing where nobody says what it can', {}, undefined],
    ['no address where no page is served', { host: both, channels: noPage }, undefined],
    ['no address of a read-only server', { host: both, readOnly: true }, undefined],
    ['the address for what no form can show', { ...unknownValue, host: both }, 'page'],
    ['nothing where the terminal is required', { method: 'terminal', host: both }, undefined],
  ])('%s', async (_, given, what) => {
    const { announced, approval } = await announce(given);
    const { nonce, ticket, handle } = approval;
    const form = { nonce, ticket };
    const expected = { form, page: { ...form, address: `http://page/${handle}` } };
    expect(announced.ask).toStrictEqual(what && expected[what]);
  });
});

describe('a report is given as it is', () => {
  test.each<[string, WaitingOptions]>([
    ['of a draft that is being sent', { change: () => ({ state: 'sending' }) }],
    ['of a draft that was declined', { change: () => ({ state: 'declined' }) }],
    ['where no person is asked', { change: () => ({ approval: undefined }) }],
  ])('%s', async (_, options) => {
    const { announced, report } = await announce({ ...options, host: { canAsk: true, canOpen: true } });
    expect(announced).toEqual({ report });
  });

  test('of an attempt that is no longer there, or that no person is asked about any more', async () => {
    const { deps, report } = await announce();
    const gone = { ...report, submissionId: 's9' };
    expect(await announceApproval(deps, gone)).toEqual({ report: gone });
    await deps.store.change((tx) => tx.moveSubmission('s1', 'awaiting_approval', { approval: undefined }));
    expect(await announceApproval(deps, report)).toEqual({ report });
  });
});

test.each<[Case, boolean]>([
  [{ method: 'page' }, true],
  [{ method: 'terminal' }, false],
  [{ method: 'elicitation' }, false],
  // The page is stricter than a form, and the terminal is never replaced by it.
  [unknownValue, true],
  [{ method: 'terminal', facts: notHeld }, false],
])('a draft with %j has a page: %s', async (options, hasPage) => {
  const { approval } = waitingDraft(options).submission;
  const asked: string[] = [];
  const channels = {
    opensBrowser: false,
    pageUrl: async (handle: string) => {
      asked.push(handle);
      return `http://page/${handle}`;
    },
  };
  expect(await getPageUrl(channels, approval)).toBe(hasPage ? `http://page/${approval.handle}` : undefined);
  expect(asked).toEqual(hasPage ? [approval.handle] : []);
});
