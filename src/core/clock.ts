/** Time as a parameter. Code that waits or compares times uses a `Clock`, so that tests can control the time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` of this clock's time; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.max(0, ms),
      );
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** Milliseconds of 24 hours. */
export const dayMs = 86_400_000;

/**
 * Times that were stored before. The clock may have been ahead when one was written, and set back since, so a stored
 * time of the future holds for no longer than it could hold if it had been written now.
 */

/** Stored times may be this far ahead (ms): the clocks of processes differ a little, and clocks are corrected. */
export const clockSlackMs = 5_000;

/**
 * Whether a stored end (ms) is still ahead. One that is further ahead than `longestMs`, the longest that anything is
 * stored for, was stored under another clock, and has passed.
 */
export const holdsUntil = (until: number | undefined, now: number, longestMs: number): boolean =>
  until !== undefined && until > now && until <= now + longestMs + clockSlackMs;

/** Whether something happened in the last `ms`, by its stored time. A time further ahead than that says nothing. */
export const isWithin = (at: number, now: number, ms: number): boolean => at > now - ms && at < now + ms;
