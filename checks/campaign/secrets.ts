/** The secrets that must never appear, in any of their usual forms, and the places where bytes come out. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Secrets {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
  /** Of the second account, where a site has two. */
  readonly second: { readonly key: string; readonly secret: string };
}

const makeKey = () => ({
  key: `campaignkey${randomBytes(24).toString('hex')}`,
  secret: `campaignsecret${randomBytes(24).toString('hex')}`,
});

export const makeSecrets = (): Secrets => ({
  ...makeKey(),
  second: makeKey(),
  passphrase: `campaign passphrase ${randomBytes(12).toString('hex')} & more`,
});

/** The name of each secret that is in the bytes. */
export function findSecrets(bytes: Buffer | string, { key, secret, passphrase, second }: Secrets): string[] {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
  const base64 = (value: string) => Buffer.from(value).toString('base64').replace(/=+$/, '');
  const forms: Record<string, readonly string[]> = {
    'the key': [key, base64(key), second.key, base64(second.key)],
    'the secret': [secret, base64(secret), second.secret, base64(second.secret)],
    'key and secret in base64': [base64(`${key}:${secret}`), base64(`${second.key}:${second.secret}`)],
    'the passphrase': [
      passphrase,
      encodeURIComponent(passphrase),
      new URLSearchParams({ p: passphrase }).toString().slice(2),
    ],
  };
  return Object.entries(forms)
    .filter(([, words]) => words.some((word) => text.includes(word)))
    .map(([name]) => name);
}

/** Secrets in every file below a folder. Only when no database of it is open here: closing a file drops its locks. */
export function findSecretsInFolder(folder: string, secrets: Secrets): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const found = findSecrets(readFileSync(join(entry.parentPath, entry.name)), secrets);
      return found.map((name) => `${name} in the file ${entry.name}`);
    });
}

/** Every user on the machine can read these of a running process. Its environment is readable by its owner only. */
export function findSecretsOfProcess(pid: number, secrets: Secrets): string[] {
  return ['cmdline', 'comm', 'status'].flatMap((name) => {
    try {
      return findSecrets(readFileSync(`/proc/${pid}/${name}`), secrets).map((found) => `${found} in /proc/${name}`);
    } catch {
      // Gone already, or no such file system here.
      return [];
    }
  });
}
