/** A pool of connections whose server is a function: what is sent is noted, and the function answers it. */
import type { Pool } from 'pg';

export interface Sent {
  readonly sql: string;
  readonly values?: readonly unknown[] | undefined;
}

/** Answers a statement. What it throws is an error of the statement. */
export type Answer = (sent: Sent) => unknown;

export function createFakePool(answer: Answer) {
  const sent: Sent[] = [];
  /** How each connection was given back: true if it was discarded. */
  const released: (boolean | undefined)[] = [];
  const query = async (sql: string, values?: readonly unknown[]) => {
    const one = { sql, ...(values && { values }) };
    sent.push(one);
    return answer(one) ?? { rows: [], rowCount: 0, command: sql };
  };
  const pool = {
    query,
    connect: async () => ({ query, release: (isBroken?: boolean) => void released.push(isBroken) }),
  } as unknown as Pool;
  return { pool, sent, released };
}

/** An error that the server sent. */
export const serverError = (code: string): Error =>
  Object.assign(new Error(`error ${code}`), { code, severity: 'ERROR' });
