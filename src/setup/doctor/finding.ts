/** The result of a check: severity, what is wrong, and the fix. */

export type Level = 'ok' | 'note' | 'warning' | 'fault';

/** One sentence for the state and, except for `ok`, one for the fix. Neither may contain a secret. */
export type Finding =
  | { readonly level: 'ok'; readonly says: string }
  | { readonly level: Exclude<Level, 'ok'>; readonly says: string; readonly fix: string };

export type CheckResult = Finding & { readonly check: string };

export const ok = (says: string): Finding => ({ level: 'ok', says });

/** Nothing is wrong, but the check was not possible or the owner may want to know this. */
export const note = (says: string, fix: string): Finding => ({ level: 'note', says, fix });

/** It works, but can cause harm. */
export const warning = (says: string, fix: string): Finding => ({ level: 'warning', says, fix });

/** Something does not work or must be changed; the exit code is 1. */
export const fault = (says: string, fix: string): Finding => ({ level: 'fault', says, fix });
