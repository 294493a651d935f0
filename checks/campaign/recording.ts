/** What is visible of a rig from outside, for the judge: its requests, its calls with their answers, and decisions. */
import { judgeRun } from '../judge/judge.ts';
import type { Order } from '../judge/order.ts';
import { orderOfCall } from '../judge/permissions.ts';
import { readShownForm, readShownPage, type ShownOrders } from '../judge/read-shown.ts';
import type { Decision, Limits, Request, RunRecord, Setup, Shown } from '../judge/record.ts';
import { createRecorder, type Recorder } from '../judge/recorder.ts';
import { price, tickers } from './account.ts';
import type { FormAnswer, ServerProcess } from './server-process.ts';
import type { OrderPost, Upstream } from './upstream.ts';

/** A committed order is written within two seconds; the rest is for machines that are busy. */
const longestWriteMs = 8_000;

export interface Recording extends Pick<Recorder, 'note'> {
  read(): RunRecord;
  /** The process, with its calls recorded. */
  watch(server: ServerProcess): ServerProcess;
  /** The answer of a host to a form, recorded. */
  watchForm(answer: FormAnswer): FormAnswer;
  /** What a person has on the screen, as text or as a page; returns its name. */
  sees(name: string, shown: ShownOrders, expiresAt: number, draft?: Shown['draft']): string;
  seesPage(address: string, html: string): string | undefined;
  decides(shown: string, where: Decision['where'], action: Decision['action'], passphrase: 'right' | 'wrong'): void;
  /** Which order an intent is: its first answer may have been lost. */
  names(intentId: string, quantity: string): void;
  /** What the judge finds wrong and has not reported yet. */
  takeViolations(): string[];
}

type Env = Readonly<Record<string, string>>;

/** What is visible of one account, of those that a site has. */
export interface AccountRecording {
  /** Undefined where the site has one. */
  readonly account: string | undefined;
  readonly recording: Recording;
}

/** A recording for each account: an order of one is none of the other, and limits are of each. */
export const startRecordings = (
  upstream: Upstream,
  accounts: readonly string[] | undefined,
  approval: Setup['approval'],
  env: Env,
): readonly AccountRecording[] =>
  (accounts ?? [undefined]).map((account) => ({
    account,
    recording: startRecording(upstream, account, approval, env),
  }));

/** The process, with each call recorded for the account that it names. */
export function watchServer(recordings: readonly AccountRecording[], server: ServerProcess): ServerProcess {
  const watched = recordings.map(({ account, recording }) => ({ account, server: recording.watch(server) }));
  const find = (args: object) =>
    watched.find(({ account }) => 'account' in args && account === args.account) ?? watched[0];
  return { ...server, call: (tool, args) => (find(args)?.server ?? server).call(tool, args) };
}

function startRecording(
  upstream: Upstream,
  account: string | undefined,
  approval: Setup['approval'],
  env: Env,
): Recording {
  const from = upstream.posts.length;
  const readPosts = () => upstream.posts.slice(from).filter((post) => post.account === account);
  const recorder = createRecorder({ now: Date.now, requests: () => readPosts().map(toRequest) });
  const { note, read } = recorder;
  const orders = new Map<string, Order>();
  const seen = new Set<string>();
  const reported = new Set<string>();
  let forms = 0;
  const setup = {
    kind: 'setup',
    environment: 'demo',
    approval,
    limits: limitsIn(env),
    writeMs: longestWriteMs,
  } as const;
  note(setup);
  for (const ticker of tickers) note({ kind: 'price', ticker, price: String(price), unit: '1' });
  const recording: Recording = {
    note,
    read,
    watch: (server) => watchCalls(server, recorder, (order) => orders.set(order.quantity, order)),
    watchForm: (answer) => (message) => {
      const given = answer(message);
      const { content } = given as { content?: Decision['content'] };
      const shown = readShownForm(message);
      const name = shown && recording.sees(`form ${++forms}`, shown, Date.now() + ticketMs);
      const action = { accept: 'approve', decline: 'reject', cancel: 'cancel' } as const;
      if (name) note({ kind: 'decision', shown: name, where: 'form', action: action[given.action], content });
      return given;
    },
    sees: (id, { orders: shown, repetitions }, expiresAt, draft) => {
      if (!seen.has(id)) note({ kind: 'shown', id, orders: shown, repetitions, expiresAt, draft });
      seen.add(id);
      return id;
    },
    seesPage: (address, html) => {
      const shown = readShownPage(html);
      const { secondsLeft = 0 } = shown ?? {};
      return (
        shown && recording.sees(`${address} ${JSON.stringify(shown.orders)}`, shown, Date.now() + secondsLeft * 1_000)
      );
    },
    decides: (shown, where, action, passphrase) => note({ kind: 'decision', shown, where, action, passphrase }),
    names: (intentId, quantity) => {
      const order = orders.get(quantity);
      if (order) note({ kind: 'intent', intentId, order });
    },
    takeViolations: () => {
      const found = judgeRun(read()).map(({ rule, line, text }) => `${rule}: ${text} (line ${line + 1})`);
      const fresh = found.filter((one) => !reported.has(one));
      for (const one of fresh) reported.add(one);
      return fresh;
    },
  };
  return recording;
}

const ticketMs = 120_000;

const limitsIn = (env: Env): Partial<Limits> =>
  Object.fromEntries(
    [
      ['maxOrderValue', env.BROKER_MAX_ORDER_VALUE],
      ['maxDayValue', env.BROKER_MAX_DAY_VALUE],
      ['maxOrderQuantity', env.BROKER_MAX_ORDER_QUANTITY],
      ['ordersPerMinute', Number(env.BROKER_ORDERS_PER_MINUTE)],
      ['ordersPerHour', Number(env.BROKER_ORDERS_PER_HOUR)],
      ['ordersPerDay', Number(env.BROKER_ORDERS_PER_DAY)],
    ].filter(([, value]) => value !== undefined),
  );

function toRequest({ at, endpoint, body, status, refusedForRate, booked }: OrderPost): Request {
  return {
    ...{ kind: 'request', at, method: 'POST', path: `/api/v0/equity/orders/${endpoint}` },
    ...{ body: body ?? null, status: status ?? null },
    ...(refusedForRate ? { response: 'TooManyRequests' } : {}),
    ...(booked ? { booked: String(booked.id) } : {}),
  };
}

/** A call that the host cancelled, or whose process ended, is never answered. */
function watchCalls(server: ServerProcess, recorder: Recorder, asksFor: (order: Order) => void): ServerProcess {
  return {
    ...server,
    call: (tool, args) => {
      const recorded = recorder.call(tool, args);
      const order = orderOfCall({ tool, args: { ...args } });
      if (order) asksFor(order);
      const call = server.call(tool, args);
      const said = call.said.then((one) => {
        if (!['cancelled', 'ended', 'no_answer'].includes(one.outcome)) recorded.answered(one.body);
        return one;
      });
      return {
        said,
        cancel: () => {
          recorder.note({ kind: 'cancel', call: recorded.id });
          call.cancel();
        },
      };
    },
  };
}
