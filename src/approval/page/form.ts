import type { IncomingMessage } from 'node:http';

export interface Form {
  readonly action: string;
  readonly csrf: string;
  readonly digest: string;
  /** Exactly as typed. */
  readonly passphrase: string;
  /** How many wrong passphrases the page told of. */
  readonly seen: number;
}

const maxBodyBytes = 4 * 1024;

/** The fields of a body, or undefined when it is too long. A field that is missing or there twice is empty. */
export async function readForm(request: IncomingMessage): Promise<Form | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    // What is too long is read on, up to the server's time limit: only so does the refusal reach its sender.
    if (size <= maxBodyBytes) pieces.push(piece as Buffer);
  }
  if (size > maxBodyBytes) return undefined;
  const fields = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
  const only = (name: string) => {
    const [value = '', ...more] = fields.getAll(name);
    return more.length === 0 ? value : '';
  };
  const seen = /^\d{1,9}$/.test(only('seen')) ? Number(only('seen')) : 0;
  return { action: only('action'), csrf: only('csrf'), digest: only('digest'), passphrase: only('passphrase'), seen };
}
