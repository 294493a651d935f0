/** TLS in front of the upstream, with certificates made for the trial. The upstream stays the same. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';

/** `good`: a valid certificate. `stranger`: an untrusted certificate. `plain`: no TLS at all. */
export type Manner = 'good' | 'stranger' | 'plain' | 'reset' | 'silent';

export interface TlsFront {
  readonly origin: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly authority: string;
  /** For the next connections; existing ones stay. */
  manner: Manner;
  close(): Promise<void>;
}

/** Undefined where no certificate can be made. */
export async function startTlsFront(upstreamOrigin: string): Promise<TlsFront | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-campaign-tls-'));
  const certificate = (name: string) => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
    execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert), path: cert };
  };
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const good = certificate('good');
    const stranger = certificate('stranger');
    const contexts = { good: createSecureContext(good), stranger: createSecureContext(stranger) };
    const sockets = new Set<Socket>();
    const { port: behind } = new URL(upstreamOrigin);
    const pipe = (socket: Socket) => {
      const inner = connect(Number(behind), '127.0.0.1');
      inner.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('error', () => inner.destroy()).on('close', () => inner.destroy());
      socket.pipe(inner).pipe(socket);
    };
    const server = createServer((raw) => {
      sockets.add(raw);
      raw.on('error', () => undefined).on('close', () => sockets.delete(raw));
      const { manner } = front;
      if (manner === 'reset') raw.once('data', () => raw.resetAndDestroy());
      else if (manner === 'plain')
        raw.once('data', () => raw.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'));
      else if (manner !== 'silent') {
        const secure = new TLSSocket(raw, { isServer: true, secureContext: contexts[manner] });
        secure.on('error', () => raw.destroy());
        pipe(secure);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const front: TlsFront = {
      origin: `https://localhost:${(server.address() as AddressInfo).port}`,
      authority: good.path,
      manner: 'good',
      close: async () => {
        server.close();
        for (const socket of sockets) socket.destroy();
        await remove();
      },
    };
    return front;
  } catch {
    await remove();
    return undefined;
  }
}
