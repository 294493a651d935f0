/** A real HTTP server on loopback that keeps what it receives. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { onTestFinished } from 'vitest';
import type { Certificate } from '../../../support/certificate.ts';

export interface HttpReceived {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** Starts a server; it ends with the test. Without a listener it responds with 204. */
export async function startHttpReceiver(
  listener: RequestListener = (_, response) => void response.writeHead(204).end(),
  certificate?: Certificate,
) {
  const received: HttpReceived[] = [];
  const take: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      received.push({ method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
      listener(request, response);
    });
  };
  const server = certificate ? createTlsServer(certificate, take) : createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const countOpen = () =>
    new Promise<number>((resolve, reject) => server.getConnections((error, n) => (error ? reject(error) : resolve(n))));
  return { port: (server.address() as { port: number }).port, received, countOpen };
}
