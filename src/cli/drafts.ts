import { draftText } from '../approval/terminal/render-draft.ts';
import { systemClock } from '../clock.ts';
import type { DraftEdit } from '../drafting/book/draft.ts';
import { editDraft } from '../drafting/book/edit-draft.ts';
import { listOpenDrafts, readDraft } from '../drafting/book/list-drafts.ts';
import { reviewLegs } from '../drafting/book/review-draft.ts';
import { describeDiscard, describeDraftState, reportLatest } from '../drafting/submission/describe-submission.ts';
import { discardDraft } from '../drafting/submission/discard-draft.ts';
import { UsageError } from '../errors.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { didYouMean } from '../suggestions.ts';
import type { Command } from './command.ts';
import { submitDraftInTerminal } from './submit-draft.ts';
import { type CommandContext, withApp } from './with-app.ts';

type Flags = Readonly<Record<string, string>>;
/** Returns the exit code. */
type Action = (parts: CommandContext, draftId: string, flags: Flags, terminal: ProcessContext) => Promise<number>;

/** Milliseconds for the requests of one command. */
const maxRequestsMs = 50_000;

/**
 * Lists the open drafts, and shows, edits, discards or submits one. Only the last needs the passphrase: the others can
 * make a draft smaller and nothing more.
 */
export const draftsCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async (parts) => {
    const [action = 'list', draftId, ...more] = words;
    if (action === 'list') {
      await printList(parts, terminal);
      return 0;
    }
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!act)
      throw new UsageError(
        `drafts ${action} does not exist; ${didYouMean(action, ['list', ...Object.keys(actions)])}.`,
      );
    if (draftId === undefined || more.length > 0)
      throw new UsageError(`drafts ${action} needs the id of one draft; brokerage-mcp drafts lists them.`);
    return await act(parts, draftId, flags, terminal);
  });

async function printList({ services }: CommandContext, terminal: ProcessContext): Promise<void> {
  const open = await listOpenDrafts(services.drafts);
  if (open.length === 0) terminal.print('No draft is open in this environment and account.');
  for (const { draft, latest } of open) {
    const name = draft.name === undefined ? '' : `  “${draft.name}”`;
    const expires = new Date(draft.expiresAt).toISOString();
    terminal.print(
      `${draft.id}  version ${draft.version}  ${countLegs(latest.legs.length)}  expires ${expires}${name}`,
    );
  }
}

const countLegs = (count: number): string => (count === 1 ? '1 leg' : `${count} legs`);

const show: Action = async ({ services }, draftId, _flags, terminal) => {
  const { draft, versions } = await readDraft(services.drafts, draftId);
  const review = await reviewLegs(services, versions.at(-1)?.legs ?? [], {
    priority: 'read',
    deadlineAt: systemClock.now() + maxRequestsMs,
    signal: terminal.shutdownSignal,
  });
  const sent = await reportLatest(services.drafts, draftId);
  terminal.print(draftText(draft, describeDraftState(draft, sent, systemClock.now()), review, sent));
  return 0;
};

const edit: Action = async (parts, draftId, flags, terminal) => {
  const change = readEdit(flags);
  const { draft } = await readDraft(parts.services.drafts, draftId);
  await editDraft(parts.services.drafts, { draftId, version: draft.version, edit: change, channel: 'terminal' });
  return show(parts, draftId, flags, terminal);
};

/** The edit that the flags describe. Throws a UsageError unless they name one leg and one change. */
function readEdit(flags: Flags): DraftEdit {
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

const discard: Action = async ({ services }, draftId, _flags, terminal) => {
  const draft = await discardDraft(services.drafts, draftId);
  const { message, next } = describeDiscard(draft, await reportLatest(services.drafts, draftId));
  terminal.print([message, next].filter(Boolean).join(' '));
  return 0;
};

const submit: Action = (parts, draftId, _flags, terminal) => submitDraftInTerminal(parts, draftId, terminal);

const actions: Readonly<Record<string, Action>> = { show, edit, discard, submit };
