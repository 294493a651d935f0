import { type Clock, systemClock } from '../core/clock.ts';
import { BrokerageError, type ErrorCode, ignoreAbort, UsageError } from '../core/errors.ts';
import { createBrowserOpener, type ProcessContext } from '../core/process/process-context.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import { didYouMean } from '../core/text/suggestions.ts';
import type { DraftEdit, OpenedDraft } from '../features/drafts/book/draft.ts';
import { nameDraft } from '../features/drafts/book/draft-plan.ts';
import { editDraft } from '../features/drafts/book/edit-draft.ts';
import { listOpenDrafts, readDraft } from '../features/drafts/book/find-draft.ts';
import { describeDiscarded } from '../features/drafts/describe-draft.ts';
import { isEndedPhase } from '../features/drafts/draft-sheet.ts';
import { startDraftPage } from '../features/drafts/page/draft-handlers.ts';
import { describeDraftState, reportLatest } from '../features/drafts/submission/describe-submission.ts';
import { discardDraft } from '../features/drafts/submission/stop-submission.ts';
import { askVersion, readShownDraft, readVersion } from './choose-version.ts';
import type { Command, FlagValues } from './command.ts';
import { submitDraftInTerminal } from './decide-draft.ts';
import { isJson, printJson, printTable } from './output.ts';
import { type AccountContexts, type CommandContext, nameAmong, withAccounts } from './with-app.ts';

/** Returns the exit code. */
type Action = (parts: CommandContext, draftId: string, flags: FlagValues, terminal: ProcessContext) => Promise<number>;

/**
 * Lists the open drafts, and shows, edits, discards or submits one. Only the last needs the passphrase: the others can
 * make a draft smaller and nothing more.
 */
export const draftsCommand: Command = ({ words, flags }, terminal) =>
  withAccounts(flags, terminal, async (accounts) => {
    const [action = 'list', draftId, ...more] = words;
    if (action === 'list') {
      await printList(accounts, flags, terminal);
      return 0;
    }
    const act = Object.hasOwn(draftActions, action) ? draftActions[action as keyof typeof draftActions] : undefined;
    if (!act)
      throw new UsageError(
        `drafts ${action} does not exist; ${didYouMean(action, ['list', ...Object.keys(draftActions)])}.`,
      );
    if (draftId === undefined || more.length > 0)
      throw new UsageError(`drafts ${action} needs the id of one draft; brokerage-mcp drafts lists them.`);
    return await withPersonSteps(draftId, async () =>
      act(await findAccountOf(draftId, accounts), draftId, flags, terminal),
    );
  });

/** The account that has the draft. Throws `not_found`, or why an account that could have it cannot say so. */
async function findAccountOf(draftId: string, accounts: AccountContexts): Promise<CommandContext> {
  const [only, ...others] = accounts;
  if (others.length === 0) return only;
  const failures: BrokerageError[] = [];
  for (const parts of accounts) {
    try {
      await readDraft(parts.services.drafts, draftId);
      return parts;
    } catch (error) {
      if (!(error instanceof BrokerageError)) throw error;
      if (error.code !== 'not_found') failures.push(error);
    }
  }
  throw (
    failures[0] ??
    new BrokerageError('not_found', 'No account has a draft with this id in this environment.', 'List the drafts.')
  );
}

/** Prints the open drafts, as a table or as JSON. */
export async function printList(accounts: AccountContexts, flags: FlagValues, terminal: ProcessContext): Promise<void> {
  const hasSeveral = accounts.length > 1;
  const open = await listOfAll(accounts);
  if (isJson(flags)) return printJson(terminal, { drafts: open.map(toJson) });
  if (open.length === 0)
    return terminal.print(`No draft is open in this environment${hasSeveral ? '' : ' and account'}.`);
  const sayMoment = createSayMoment(terminal.zone(), systemClock);
  const rows = open.map(({ draft, latest, account }) => [
    draft.id,
    String(draft.version),
    String(latest.legs.length),
    sayMoment(draft.createdAt),
    sayMoment(draft.expiresAt),
    `“${nameDraft(draft, latest.legs)}”`,
    ...(hasSeveral ? [account ?? ''] : []),
  ]);
  const columns = ['draft', 'version', 'legs', 'made', 'expires', 'name', ...(hasSeveral ? ['account'] : [])];
  printTable(terminal, columns, rows);
}

/** The open drafts of all accounts, newest first, each with its account where there are several. */
async function listOfAll(accounts: AccountContexts) {
  const lists = accounts.map(async (one) => {
    const account = nameAmong(accounts, one);
    return (await listOpenDrafts(one.services.drafts)).map((one) => ({ ...one, account }));
  });
  return (await Promise.all(lists)).flat().toSorted((a, b) => b.draft.createdAt - a.draft.createdAt);
}

const toJson = ({ draft, latest, account }: OpenedDraft & { readonly account: string | undefined }) => ({
  draftId: draft.id,
  account,
  name: nameDraft(draft, latest.legs),
  version: draft.version,
  legs: latest.legs.length,
  createdAt: new Date(draft.createdAt).toISOString(),
  expiresAt: new Date(draft.expiresAt).toISOString(),
});

const show: Action = async (parts, draftId, flags, terminal) => {
  if (flags.page === 'true' && isJson(flags)) throw new UsageError('give --page or --json, not both.');
  if (flags.page === 'true') return serveDraftPage(parts, draftId, terminal);
  const { text, json } = await readShownDraft(parts, draftId, terminal);
  if (isJson(flags)) printJson(terminal, json);
  else terminal.print(text);
  return 0;
};

const edit: Action = async (parts, draftId, flags, terminal) => {
  const change = readEdit(flags);
  const ask = (seen: number) => `Change leg ${change.leg} of version ${seen}, as shown above?`;
  const version = readVersion(flags) ?? (await askVersion(parts, draftId, terminal, { command: 'drafts edit', ask }));
  if (version === undefined) return 1;
  await editDraft(parts.services.drafts, { draftId, version, edit: change, channel: 'terminal' });
  return show(parts, draftId, flags, terminal);
};

/** The edit that the flags describe. Throws a UsageError unless they name one leg and one change. */
function readEdit(flags: FlagValues): DraftEdit {
  const leg = Number(flags.leg);
  const { quantity, 'limit-price': limitPrice } = flags;
  const changes: DraftEdit[] = [
    ...(flags.remove === 'true' ? [{ kind: 'remove', leg } as const] : []),
    ...(quantity === undefined ? [] : [{ kind: 'quantity', leg, quantity } as const]),
    ...(limitPrice === undefined ? [] : [{ kind: 'limitPrice', leg, limitPrice } as const]),
  ];
  const [change, ...others] = changes;
  if (!Number.isSafeInteger(leg) || !change || others.length > 0)
    throw new UsageError('drafts edit needs --leg N and one of --remove, --quantity Q and --limit-price P.');
  return change;
}

const discard: Action = async ({ services }, draftId, flags, terminal) => {
  const draft = await discardDraft(services.drafts, draftId);
  const submission = await reportLatest(services.drafts, draftId, 'person');
  const { message } = describeDiscarded(draft, submission);
  if (isJson(flags)) printJson(terminal, { draftId, state: draft.state, message, submission });
  else terminal.print(message);
  return 0;
};

const submit: Action = (parts, draftId, flags, terminal) =>
  submitDraftInTerminal(
    parts,
    { draftId, version: readVersion(flags), repeatOf: readRepeatOf(flags), isJson: isJson(flags) },
    terminal,
  );

function readRepeatOf({ 'repeat-of': id }: FlagValues): string | undefined {
  if (id === undefined || /^[0-9a-f]{32}$/.test(id)) return id;
  throw new UsageError('--repeat-of needs a submissionId, which brokerage-mcp drafts show ID prints.');
}

/** What the command can do with one draft. */
export const draftActions = { show, edit, discard, submit } as const satisfies Readonly<Record<string, Action>>;

/** Milliseconds after which a forgotten page ends. */
const maxServeMs = 60 * 60_000;
/** Milliseconds that the page of a draft that ended stays, so that the browser can show how it ended. */
const afterEndMs = 30_000;
const pollIntervalMs = 1_000;

/**
 * Serves the page of a draft and opens it in the browser, until Ctrl+C, until the draft has ended, and at most for an
 * hour. Returns the exit code. Throws `not_found`.
 */
async function serveDraftPage(parts: CommandContext, draftId: string, terminal: ProcessContext): Promise<number> {
  const { services } = parts;
  await readDraft(services.drafts, draftId);
  const served = await startDraftPage({ draftId, drafts: services.drafts, clock: systemClock, lifeMs: maxServeMs });
  try {
    terminal.print(`Page of the draft: ${served.createAddress()}`);
    terminal.warn('The address works in the first browser that opens it. Ctrl+C ends the page; it sends no order.');
    createBrowserOpener(terminal.platform, terminal.env)?.(served.createAddress());
    const hasDraftEnded = () => hasEnded(parts, draftId);
    terminal.warn(await waitForEnd(hasDraftEnded, systemClock, terminal.shutdownSignal));
    return 0;
  } finally {
    await served.close();
  }
}

/** Waits until the page is no longer needed, and returns why. */
export async function waitForEnd(
  hasDraftEnded: () => Promise<boolean>,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  const until = clock.now() + maxServeMs;
  let endedAt: number | undefined;
  while (clock.now() < until) {
    if (signal.aborted) return 'The page has ended.';
    const now = clock.now();
    endedAt = (await hasDraftEnded()) ? (endedAt ?? now) : undefined;
    if (endedAt !== undefined && now >= endedAt + afterEndMs) return 'The draft has ended, and so has its page.';
    await clock.sleep(pollIntervalMs, signal).catch(ignoreAbort);
  }
  return 'The page has ended after an hour. Run the command again to go on.';
}

/** Whether nothing of the draft can be changed or stopped any more. */
export async function hasEnded(
  { services: { drafts } }: { readonly services: Pick<CommandContext['services'], 'drafts'> },
  draftId: string,
): Promise<boolean> {
  try {
    const { draft } = await readDraft(drafts, draftId);
    return isEndedPhase(describeDraftState(draft, await reportLatest(drafts, draftId, 'person'), systemClock.now()));
  } catch (error) {
    // A store that is busy does not end the page.
    if (error instanceof BrokerageError) return error.code === 'not_found';
    throw error;
  }
}

// The next step of an error about a draft, for a person in a terminal; the error's own is for a model.

const getSteps = (draftId: string): Partial<Record<ErrorCode, string>> => ({
  not_found: '“brokerage-mcp drafts” lists the drafts that are open.',
  draft_closed: 'Ask for a new draft.',
  draft_expired: 'Ask for a new draft.',
  draft_changed: `Read it with “brokerage-mcp drafts show ${draftId}”, and run the command again with its --version.`,
  unknown_ticker: `Remove its leg with “brokerage-mcp drafts edit ${draftId}”.`,
  submission_open: `“brokerage-mcp drafts show ${draftId}” shows when it has ended; “brokerage-mcp drafts discard ${draftId}” stops it.`,
});

/** Runs the work of a command on a draft, and throws its errors with the step of a person. */
export async function withPersonSteps<Result>(draftId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    const { code, message, facts } = error;
    // While another draft of the account is being sent, the fact names that one.
    const other = typeof facts.draftId === 'string' ? facts.draftId : draftId;
    const next = getSteps(other)[code];
    throw next === undefined ? error : new BrokerageError(code, message, next, facts);
  }
}
