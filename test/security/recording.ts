/**
 * What was visible of an attack from outside, for the judge: the requests at the service, the calls with their answers,
 * and what a person was shown and decided. Every attack is judged when its test has ended.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { judgeRun } from '../../checks/judge/judge.ts';
import { limitsOf } from '../../checks/judge/limits.ts';
import { readShownForm, readShownPage, type ShownOrders } from '../../checks/judge/read-shown.ts';
import type { Decision, Limits, Setup, Shown } from '../../checks/judge/record.ts';
import { createRecorder, type Recorder } from '../../checks/judge/recorder.ts';
import { fromSimulator } from '../../checks/judge/simulator-log.ts';
import type { App } from '../../src/app/composition-root.ts';
import { type ApprovalMethod, methodFacts } from '../../src/core/orders/intent/approval-methods.ts';
import type { ConfiguredLimits } from '../../src/core/orders/intent/risk-limits.ts';
import type { Config } from '../../src/core/settings/config.ts';
import { viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import type { ManualClock } from '../support/manual-clock.ts';

type Body = Readonly<Record<string, unknown>>;

interface Enrolment {
  readonly passphrase: string;
  readonly approval: ApprovalMethod;
  readonly limits: ConfiguredLimits;
}

/** The parts of a call that a host adds. */
interface HostParts {
  readonly requestState?: unknown;
  readonly inputResponses?: Body;
}

export interface Recording extends Pick<Recorder, 'note' | 'read'> {
  now(): number;
  /** Records a call of a host, with the form that it answers; the result is told when it comes. */
  call(tool: string, args: object, host: HostParts): (body: Body, result: Body) => void;
  /** A form that a host was asked to show, and what it answered. */
  form(message: string, id: string): void;
  formAnswered(id: string, answer: unknown): void;
  enrolled(enrolment: Enrolment): void;
  /** Records what is decided in the terminal, and what is enrolled, in this process. */
  watch(composed: App): void;
}

const open = new Set<Recording>();
/** The tickets that a person has on the screen, by the form that the page was read into. */
const onScreen = new WeakMap<
  object,
  { readonly recording: Recording; readonly address: string; readonly id: string }
>();
const pages = new Map<string, { readonly recording: Recording; readonly draft: Shown['draft'] }>();

export function startRecording(simulator: Simulator, clock: ManualClock, config: Config): Recording {
  const recorder = createRecorder({ now: clock.now, requests: () => simulator.log.map(fromSimulator) });
  const forms = new Map<string, ShownOrders | undefined>();
  let passphrase = '';
  const recording: Recording = {
    ...recorder,
    now: clock.now,
    call: (tool, args, { requestState, inputResponses }) => {
      if (inputResponses?.approval !== undefined) recording.formAnswered(String(requestState), inputResponses.approval);
      const { answered } = recorder.call(tool, args);
      const draft = tool === 'submit_draft' ? (args as Shown['draft']) : undefined;
      return (body, result) => {
        answered(body);
        for (const [address] of JSON.stringify(result).matchAll(
          /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/approve\/[\w-]+/g,
        ))
          pages.set(address, { recording, draft });
        const { params } = (result.inputRequests as { approval?: { params?: Body } })?.approval ?? {};
        if (params?.mode === 'form') recording.form(String(params.message), String(result.requestState));
      };
    },
    form: (message, id) => {
      if (forms.has(id)) return;
      const shown = readShownForm(message);
      forms.set(id, shown);
      if (!shown) return;
      const more = shown.orders.length > 3 ? shown.orders.length - 3 : 0;
      const expiresAt = clock.now() + 120_000 + 10_000 * more;
      const draft = /^\w+, \d+ ORDER/m.test(message) ? { draftId: '', version: 0 } : undefined;
      recorder.note({ kind: 'shown', id, ...shown, expiresAt, draft });
    },
    formAnswered: (id, answer) => {
      const { action, content } = (answer ?? {}) as { action?: string; content?: Body };
      const actions: Record<string, Decision['action']> = { accept: 'approve', decline: 'reject', cancel: 'cancel' };
      const meant = actions[String(action)];
      if (meant) recorder.note({ kind: 'decision', shown: id, where: 'form', action: meant, content });
    },
    enrolled: (enrolment) => {
      passphrase = enrolment.passphrase;
      recorder.note(setupOf(config, enrolment));
    },
    watch: (composed) => watchProcess(composed, recording, clock, (text) => text === passphrase),
  };
  recorder.note(setupOf(config, undefined));
  open.add(recording);
  return recording;
}

/** Expects that nothing was wrong in the whole run. */
export function judgeRecording(recording: Recording): void {
  open.delete(recording);
  expect(judgeRun(recording.read())).toEqual([]);
}

/** The stricter of what the owner enrolled and what this process was given. Without an enrolment nothing may leave. */
function setupOf({ environment, approval: given, limits: configured = {} }: Config, enrolled: Enrolment | undefined) {
  const paper = environment !== 'live';
  const approval = paper ? (given ?? 'none') : stricter(enrolled?.approval ?? 'page', given);
  const setup = { kind: 'setup', environment, approval, limits: {}, writeMs: 0 } as const;
  const base: Partial<Limits> = limitsOf({ ...setup, at: 0, limits: paper ? {} : defined(enrolled?.limits ?? {}) });
  const names = [
    'maxOrderValue',
    'maxDayValue',
    'maxOrderQuantity',
    'ordersPerMinute',
    'ordersPerHour',
    'ordersPerDay',
  ];
  const own = defined(configured) as Partial<Limits>;
  const limits = Object.fromEntries(
    names.map((name) => {
      const [a, b] = [base, own].map((one) => one[name as keyof Limits]);
      return [name, paper ? (b ?? a) : b !== undefined && Number(b) < Number(a) ? b : a];
    }),
  );
  const tickers = own.tickers ?? base.tickers;
  return { ...setup, limits: { ...limits, ...(tickers ? { tickers } : {}) } };
}

const stricter = (enrolled: Setup['approval'], given: Setup['approval'] | undefined): Setup['approval'] =>
  given && methodFacts[given].strictness > methodFacts[enrolled].strictness ? given : enrolled;

const defined = (limits: object): Partial<Limits> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));

function watchProcess(
  { security, services }: App,
  recording: Recording,
  clock: ManualClock,
  isRight: (passphrase: string) => boolean,
): void {
  const decide = (id: string, passphrase: string) =>
    recording.note({
      kind: 'decision',
      shown: id,
      where: 'terminal',
      action: 'approve',
      passphrase: isRight(passphrase) ? 'right' : 'wrong',
    });
  const { approvals, draftApprovals, drafts } = services;
  const { approve } = approvals;
  approvals.approve = async (answer) => {
    const view = answer.channel === 'terminal' ? await approvals.view(answer.intentId) : undefined;
    if (view && view.secondsLeft > 0 && view.digest === answer.digest) {
      const { order, isRepetition } = view.ticket;
      const id = `terminal ${answer.intentId} ${nameOf([order])}`;
      const expiresAt = clock.now() + view.secondsLeft * 1_000;
      recording.note({ kind: 'shown', id, orders: [order], repetitions: isRepetition ? [0] : [], expiresAt });
      decide(id, answer.passphrase);
    }
    return approve(answer);
  };
  const approveDraft = draftApprovals.approve;
  draftApprovals.approve = async (answer) => {
    const { submissionId } = answer;
    const found = await drafts.store.read((tx) => tx.findSubmission(submissionId));
    const view = found && answer.channel === 'terminal' && (await viewDraftTicket(drafts, found.draftId, submissionId));
    if (view && view.digest === answer.digest) {
      const orders = view.ticket.legs.map(({ ticket }) => ticket.order);
      const repetitions = view.ticket.legs.flatMap(({ ticket }, at) => (ticket.isRepetition ? [at] : []));
      const { draftId, version } = view.ticket;
      const [id, expiresAt] = [`terminal ${submissionId} ${nameOf(orders)}`, clock.now() + view.secondsLeft * 1_000];
      recording.note({ kind: 'shown', id, orders, repetitions, expiresAt, draft: { draftId, version } });
      decide(id, answer.passphrase);
    }
    return approveDraft(answer);
  };
  const { enrol } = security;
  security.enrol = async (enrolment) => {
    const result = await enrol(enrolment);
    recording.enrolled(enrolment);
    return result;
  };
}

const nameOf = (shown: unknown) => createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 8);

/** What a browser has got of a ticket. An address that no answer named is not what a person opens. */
export function noteLook(address: string, page: { readonly text: string }): void {
  const known = pages.get(address);
  if (!known || !open.has(known.recording)) return;
  const shown = readShownPage(page.text);
  if (!shown) return;
  const { recording, draft } = known;
  const { orders, repetitions, secondsLeft = 0 } = shown;
  const id = `${address} ${nameOf([orders, repetitions])}`;
  onScreen.set(page, { recording, address, id });
  if (recording.read().some((entry) => entry.kind === 'shown' && entry.id === id)) return;
  const expiresAt = recording.now() + secondsLeft * 1_000;
  recording.note({ kind: 'shown', id, orders, repetitions, expiresAt, draft });
}

/** The form of the ticket that is on the screen is sent, as the page itself sends it. */
export function notePress(
  address: string,
  page: object,
  fields: { readonly action?: string; readonly passphrase?: string },
  passphrase: string,
): void {
  const seen = onScreen.get(page);
  if (!seen || seen.address !== address) return;
  const actions: Record<string, Decision['action']> = { approve: 'approve', reject: 'reject' };
  const action = actions[fields.action ?? 'approve'];
  const typed = fields.passphrase ?? passphrase;
  if (action)
    seen.recording.note({
      ...{ kind: 'decision', shown: seen.id, where: 'page', action },
      passphrase: typed === passphrase ? 'right' : 'wrong',
    });
}
