/** Someone guesses the passphrase on the page: five guesses lock it, and guesses at the same moment are one guess. */
import { enrol } from '../approver.ts';
import { openRig, type Rig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { answerPage } from '../page-client.ts';
import { finishTrial, pause } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const maxGuesses = 5;
const guessesAtOnce = 8;

/** The pause after a wrong passphrase, as if the last one had been at that time (ms). */
const movePause = ({ journal }: Rig, lastFailureAt: number): Promise<void> =>
  journal.change(async (tx) => tx.set('security', { ...(await tx.get<object>('security')), lastFailureAt }));

type Guesses = (rig: Rig, guess: () => Promise<void>) => Promise<void>;

const oneByOne: Guesses = async (rig, guess) => {
  for (let number = 0; number < maxGuesses; number++) {
    await guess();
    await movePause(rig, 0);
  }
};

/** The right passphrase comes when the first guess still has its pause, however long the machine took for the others. */
const atOnce: Guesses = async (rig, guess) => {
  await Promise.all(Array.from({ length: guessesAtOnce }, guess));
  await movePause(rig, Date.now());
};

const ways = [
  { name: 'five wrong passphrases', guesses: oneByOne },
  { name: 'wrong passphrases at once', guesses: atOnce },
];

/** The right passphrase is refused after the guesses, so the order stays where it is until it is rejected. */
async function trial(bench: Bench, { name, guesses }: (typeof ways)[number]): Promise<void> {
  const { site, random, line } = bench;
  const env = { DISPLAY: ':0', PATH: '/no-browser' };
  const rig = await openRig(bench.program, site, line, { approval: 'page', env });
  try {
    await enrol(rig, 'page');
    let tell = (_: string): void => undefined;
    const address = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const onProgress = (message: string) => {
      const found = /http:\/\/\S+/.exec(message)?.[0];
      if (found) tell(found);
    };
    const [server, observer] = await Promise.all([rig.server({ onProgress }), rig.server()]);
    const { tool, args, quantity } = anyOrder(random, site.newQuantity());
    const call = server.call(tool, args);
    const shown = await Promise.race([address, pause(8_000).then(() => undefined)]);
    const answer = async (action: 'approve' | 'reject', passphrase?: string) => {
      const typed = passphrase === undefined ? { action } : { action, passphrase };
      await answerPage(rig, shown ?? '', typed);
    };
    if (shown) {
      await guesses(rig, () => answer('approve', 'certainly not the passphrase'));
      await answer('approve', site.secrets.passphrase);
      await answer('reject');
    } else line.violations.push('no page was shown');
    const said = await call.said;
    await finishTrial(rig, { quantity, said: [said], observer, expected: ['declined'], name });
  } finally {
    await rig.dispose();
  }
}

export const pageLockouts: Scenario = {
  name: 'guesses on the page',
  weight: 8,
  short: 2,
  most: 40,
  run: async (bench) => {
    for (let next = 0; !isDone(bench); next++) await trial(bench, ways[next % ways.length] as (typeof ways)[number]);
  },
};
