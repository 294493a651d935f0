/** A certificate of a test: openssl makes it in a temporary folder, which is removed at once. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM; it is its own authority. */
  readonly cert: string;
}

/** Makes one for the alternative names, such as `DNS:chat.example` or `IP:127.0.0.1`. */
export function makeCertificate(...names: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', certFile];
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.join(',')}`];
  try {
    execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
