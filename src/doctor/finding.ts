/** What a check says: how bad it is, what is so, and what to do about it. */

export type Level = 'ok' | 'note' | 'warning' | 'fault';

/** One sentence of what is so and, unless all is well, one of what to do. Neither may hold a secret. */
export type Finding =
  | { readonly level: 'ok'; readonly says: string }
  | { readonly level: Exclude<Level, 'ok'>; readonly says: string; readonly mend: string };

export type CheckResult = Finding & { readonly check: string };

export const ok = (says: string): Finding => ({ level: 'ok', says });

/** Nothing is wrong; it could not be looked at, or the owner may want to know. */
export const note = (says: string, mend: string): Finding => ({ level: 'note', says, mend });

/** It works, and it may hurt. */
export const warning = (says: string, mend: string): Finding => ({ level: 'warning', says, mend });

/** Something does not work, or must not stay as it is; the exit code is 1. */
export const fault = (says: string, mend: string): Finding => ({ level: 'fault', says, mend });
