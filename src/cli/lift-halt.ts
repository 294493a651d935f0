/** What `resume` shows before the owner agrees, and what it lifts afterwards: only what was shown. */
import { existsSync, rmSync } from 'node:fs';
import { readWrongPassphrases, unlock } from '../core/approval/enrollment/enrollment.ts';
import type { Clock } from '../core/clock.ts';
import { describeHalt } from '../core/orders/halt/describe-halt.ts';
import { applyHaltFile, liftHalt, readHalt } from '../core/orders/halt/halt.ts';
import type { Journal } from '../core/orders/intent/ports.ts';
import type { Tty } from '../core/process/terminal.ts';
import type { SayMoment } from '../core/text/say-moment.ts';

export interface ShownHalt {
  /** The time of the halt; undefined when there is none. */
  readonly haltedAt: number | undefined;
  readonly hasFile: boolean;
}

/** Where trading is halted: the store, and a file of the state folder. */
export interface HaltPlace {
  readonly journal: Journal;
  readonly haltFile: string;
}

/** Shows why trading is halted. A file that halts is recorded first, so that it is shown as every server sees it. */
export async function showHalt(
  tty: Tty,
  { journal, haltFile }: HaltPlace,
  clock: Pick<Clock, 'now'>,
  sayMoment: SayMoment,
): Promise<ShownHalt> {
  const hasFile = existsSync(haltFile);
  const { halt, locked } = await journal.change(async (tx) => {
    await applyHaltFile(tx, () => hasFile, clock.now());
    return { halt: await readHalt(tx), locked: (await readWrongPassphrases(tx))?.isPageLocked };
  });
  if (halt) tty.say(`Halted ${describeHalt(halt, sayMoment)}`);
  if (locked) tty.say('The approval page is locked after too many wrong passphrases.');
  if (!halt && !locked) tty.say('Nothing is halted or locked in the store.');
  return { haltedAt: halt?.at, hasFile };
}

/** Lifts the halt and the lock that were shown. Returns the exit code. */
export async function liftShownHalt(tty: Tty, { journal, haltFile }: HaltPlace, shown: ShownHalt): Promise<number> {
  const isLifted = await journal.change(async (tx) => {
    // A halt or a file of the time in which the passphrase was typed has not been shown to the user, so it stays.
    if ((await readHalt(tx))?.at !== shown.haltedAt || (existsSync(haltFile) && !shown.hasFile)) return false;
    rmSync(haltFile, { force: true });
    await liftHalt(tx);
    await unlock(tx);
    return true;
  });
  tty.say(
    isLifted ? 'Trading is resumed.' : 'Trading was halted again in the meantime; run resume again to see why.',
    isLifted ? 'good' : 'bad',
  );
  return isLifted ? 0 : 1;
}
