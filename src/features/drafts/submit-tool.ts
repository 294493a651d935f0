import * as z from 'zod';
import { draftApprovalForm } from '../../core/approval/approval-form.ts';
import type { CallContext } from '../../core/broker/types.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { BrokerageError } from '../../core/errors.ts';
import { withJsonSchema } from '../../core/mcp/arguments.ts';
import type { ElicitationRequest, ElicitationResult } from '../../core/mcp/elicitation.ts';
import { defineTool, type ToolCall, type ToolReply } from '../../core/mcp/tool.ts';
import { readBefore } from '../../core/tools/trading-tools.ts';
import { draftRefusalOutput, submissionOutput } from './draft-outputs.ts';
import { type DraftToolDeps, draftId, submitRegistration, version } from './draft-tool-deps.ts';
import { type DraftPrompt, writeDraftForm } from './submission/announce-approval.ts';
import { getRefusalStep } from './submission/check-submission.ts';
import type { DraftToSend } from './submission/submit-draft.ts';

const questionFor = ({ nonce, ticket, address, problem }: DraftPrompt): ElicitationRequest =>
  address === undefined
    ? { kind: 'form', nonce, message: writeDraftForm(ticket, problem), schema: draftApprovalForm }
    : { kind: 'url', nonce, message: 'Open the page to approve or reject these orders.', url: address };

const toReply = (
  { report }: { readonly report: object },
  isRepeat: boolean | undefined,
  ask: DraftPrompt | undefined,
): ToolReply => ({
  fields: { ...report, ...(isRepeat ? { coalesced: true } : {}) },
  ask: ask && { ...questionFor(ask), isRepeat },
});

async function continueAfterAnswer(
  wanted: DraftToSend,
  { nonce, isRepeat, action, content }: ElicitationResult,
  context: CallContext,
  call: ToolCall,
  deps: DraftToolDeps,
): Promise<ToolReply> {
  const { confirmLegs, confirmTotal } = content;
  const form = { nonce, action, confirmLegs, confirmTotal };
  const host = { canAsk: call.host.canForm };
  const found = await deps.submissions.continueAfterForm(wanted, form, context, call.progress, host);
  if (found) return toReply(found, isRepeat, found.ask);
  throw new BrokerageError(
    'invalid_argument',
    'The submitted form does not match any draft that is waiting for approval.',
    'Check the draft with list_drafts; submit it again only if the user still wants it.',
  );
}

export const submitDraftTool = defineTool({
  name: 'submit_draft',
  title: 'Send a draft',
  ...submitRegistration,
  effect: 'places',
  endpoints: [
    endpoints.placeLimitOrder,
    endpoints.placeMarketOrder,
    endpoints.placeStopOrder,
    endpoints.placeStopLimitOrder,
    ...readBefore,
  ],
  description:
    'Sends (submits, executes, places, goes ahead with) all drafted orders of a draft or plan, after approval where required, sells before buys, one at a time; stops at the first that is not placed. The same call again reports its state. Result: an outcome for each leg.',
  searchHint:
    'place draft, send planned orders, execute plan, go ahead and send, ok do, yes place all of them, submit the draft, send the plan for approval, release, carry out, buy them all, proceed, confirm, approve, run the plan, carry on with the rest, yes, place those orders, ok send it, go ahead with the plan, that is good, do it, do the rebalance now, execute the draft, release the draft for approval, make the trades, place them all, place the drafted orders, run it, approve it, sure, fire, start, let us do it, finish the draft, resume',
  view: 'draft',
  input: z.strictObject({
    draftId: draftId(),
    version: version(),
    repeatOf: withJsonSchema(
      z.string('must be a submissionId').regex(/^[0-9a-f]{32}$/, 'must be a submissionId returned by submit_draft'),
      { type: 'string', description: 'submissionId to intentionally send again' },
    ).optional(),
  }),
  output: () => ({ ...submissionOutput(), ...draftRefusalOutput() }),
  run: async ({ draftId, version, repeatOf }, call, deps: DraftToolDeps) => {
    const context = call.context({ priority: 'place' });
    const wanted = { draftId, version, repeatOf };
    const { answer, canForm, canUrl } = call.host;
    if (answer) return continueAfterAnswer(wanted, answer, context, call, deps);
    const host = { canAsk: canForm, canOpen: canUrl };
    const reply = await deps.submissions.submit(wanted, context, call.progress, host);
    if (reply.kind === 'submitted') return toReply(reply, reply.coalesced, reply.ask);
    return {
      fields: {
        outcome: 'refused',
        draftId,
        version,
        ...reply.refusal,
        message: 'This server refused the draft; nothing was sent.',
        next: getRefusalStep(reply.refusal),
      },
    };
  },
});
