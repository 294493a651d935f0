/** The next step of an error about a draft, for a person in a terminal; the error's own is for a model. */
import { BrokerageError, type ErrorCode } from '../core/errors.ts';

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
