/** What was visible of an evaluation from outside, for the judge: requests, calls with their answers, and prices. */
import Big from 'big.js';
import { judgeRun } from '../../checks/judge/judge.ts';
import type { Limits } from '../../checks/judge/record.ts';
import { createRecorder, type RecordedCall } from '../../checks/judge/recorder.ts';
import { fromSimulator } from '../../checks/judge/simulator-log.ts';
import type { LoggedRequest, Simulator } from '../../src/simulator/index.ts';
import type { World } from '../../src/simulator/world/world.ts';

export interface Recording {
  call(tool: string, args: object): RecordedCall;
  /** A command of the person, where it is what a tool would do. */
  command(words: readonly string[]): void;
  /** What the judge finds wrong and has not reported yet. */
  takeViolations(): readonly string[];
}

export interface Recorded {
  readonly simulator: Simulator;
  readonly world: World;
  readonly now: () => number;
  /** Settings of the servers. */
  readonly variables: Readonly<Record<string, string>>;
  /** The name of the second account, which is judged apart; undefined where there is one. */
  readonly second: string | undefined;
}

/** Between the commit of an order and its arrival, on a busy machine. */
const longestWriteMs = 8_000;

export function startRecording(recorded: Recorded): Recording {
  const { second, simulator } = recorded;
  if (second === undefined) return startRecordingOf(recorded, () => simulator.log);
  const isOfSecond = ({ account }: LoggedRequest) => account === second;
  const other = startRecordingOf(recorded, () => simulator.log.filter(isOfSecond));
  const first = startRecordingOf(recorded, () => simulator.log.filter((request) => !isOfSecond(request)));
  return {
    call: (tool, args) => ('account' in args && args.account === second ? other : first).call(tool, args),
    command: (words) => (words.includes(second) ? other : first).command(words),
    takeViolations: () => [...first.takeViolations(), ...other.takeViolations()],
  };
}

function startRecordingOf(
  { simulator, world, now, variables }: Recorded,
  readLog: () => readonly LoggedRequest[],
): Recording {
  const recorder = createRecorder({ now, requests: () => readLog().map(fromSimulator) });
  const mentioned = new Set(simulator.groundTruth().positions.map(({ ticker }) => ticker));
  const reported = new Set<string>();
  const limits: Partial<Limits> = {
    ...(variables.BROKER_MAX_ORDER_VALUE ? { maxOrderValue: variables.BROKER_MAX_ORDER_VALUE } : {}),
    ...(variables.BROKER_ORDERS_PER_MINUTE ? { ordersPerMinute: Number(variables.BROKER_ORDERS_PER_MINUTE) } : {}),
  };
  recorder.note({ kind: 'setup', environment: 'demo', approval: 'none', limits, writeMs: longestWriteMs });
  const notePrices = () => {
    for (const ticker of mentioned) {
      const instrument = world.find(ticker);
      if (!instrument) continue;
      const price = world.prices.priceAt(instrument, now()).toFixed();
      const unit = new Big(1).div(world.prices.rateAt(instrument.currency, now())).toFixed();
      recorder.note({ kind: 'price', ticker, price, unit });
    }
  };
  return {
    call: (tool, args) => {
      for (const [, ticker = ''] of JSON.stringify(args).matchAll(/"(\w+_EQ)"/g)) mentioned.add(ticker);
      if (tool.startsWith('place_') || tool === 'submit_draft') notePrices();
      return recorder.call(tool, args);
    },
    command: ([name, what, draftId, , version]) => {
      if (name !== 'drafts' || what !== 'submit') return;
      notePrices();
      recorder.call('submit_draft', { draftId, version: Number(version) });
    },
    takeViolations: () => {
      const found = judgeRun(recorder.read()).map(({ rule, text }) => `the judge: ${rule}: ${text}`);
      const fresh = found.filter((one) => !reported.has(one));
      for (const one of fresh) reported.add(one);
      return fresh;
    },
  };
}
