import type { IncomingMessage } from 'node:http';

export interface Form {
  readonly action: string;
  readonly csrf: string;
  readonly digest: string;
  /** Exactly as typed. */
  readonly passphrase: string;
  /** How many wrong passphrases the page showed. */
  readonly seen: number;
}

const maxBodyBytes = 4 * 1024;

/** Reads the form of a ticket; undefined when it is too long. */
export async function readForm(request: IncomingMessage): Promise<Form | undefined> {
  const only = await readFields(request);
  if (!only) return undefined;
  const seen = /^\d{1,9}$/.test(only('seen')) ? Number(only('seen')) : 0;
  return { action: only('action'), csrf: only('csrf'), digest: only('digest'), passphrase: only('passphrase'), seen };
}

/** Reads the fields of a body; undefined when it is too long. A field that is missing or repeated is empty. */
export async function readFields(request: IncomingMessage): Promise<((name: string) => string) | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    // A body that is too long is read until the server's time limit, because otherwise the sender does not receive
    // the refusal.
    if (size <= maxBodyBytes) pieces.push(piece as Buffer);
  }
  if (size > maxBodyBytes) return undefined;
  const fields = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
  return (name) => {
    const [value = '', ...more] = fields.getAll(name);
    return more.length === 0 ? value : '';
  };
}
