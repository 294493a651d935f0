/** A real SMTP server on loopback that keeps what it receives, and misbehaves as a test asks. */
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** The text of DATA, with CRLF, without the final dot. */
  readonly data: string;
  /** Whether the connection was encrypted. */
  readonly isEncrypted: boolean;
  /** As the client sent it to AUTH PLAIN: user and password. */
  readonly login: string | undefined;
}

export interface SmtpBehaviour {
  /** Key and certificate (PEM); STARTTLS is offered, or TLS is used from the start. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly mode: 'tls' | 'starttls' };
  /** Whether AUTH PLAIN is offered. */
  readonly asksLogin?: boolean;
  /** Replaces the response to a command by its verb (`GREETING` is the first line); undefined is the usual response. */
  readonly respond?: (verb: string, line: string, socket: Socket) => string | undefined;
}

/** Starts a server. It ends with the test. */
export async function startSmtpReceiver({ tls, asksLogin, respond = () => undefined }: SmtpBehaviour = {}) {
  const received: Received[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();

  const talk = (socket: Socket, isEncrypted: boolean, isGreeted: boolean): void => {
    let [from, to, login]: [string, string[], string | undefined] = ['', [], undefined];
    let [buffered, isData] = ['', false];
    const write = (text: string) => void (socket.destroyed || socket.write(`${text}\r\n`));
    const reply = (verb: string, line: string, usual: string) => {
      const text = respond(verb, line, socket) ?? usual;
      if (text !== '') write(text);
      return text;
    };
    const takeData = () => {
      const end = buffered.indexOf('\r\n.\r\n');
      if (end < 0) return false;
      const data = buffered.slice(0, end).replaceAll('\r\n..', '\r\n.');
      buffered = buffered.slice(end + 5);
      isData = false;
      if (reply('END', '', '250 kept').startsWith('250')) received.push({ from, to, data, isEncrypted, login });
      return true;
    };
    const usualOf = (verb: string): string => {
      const offers = [
        ...(tls?.mode === 'starttls' && !isEncrypted ? ['STARTTLS'] : []),
        ...(asksLogin ? ['AUTH PLAIN'] : []),
      ];
      if (verb === 'EHLO')
        return ['localhost', ...offers].map((name, at) => `250${at === offers.length ? ' ' : '-'}${name}`).join('\r\n');
      const usual: Record<string, string> = {
        STARTTLS: tls ? '220 go' : '502 unknown',
        AUTH: '235 in',
        DATA: '354 go',
        QUIT: '221 bye',
      };
      return usual[verb] ?? '250 ok';
    };
    const take = (line: string): void => {
      const verb = (line.split(/[ :]/)[0] ?? '').toUpperCase();
      commands.push(line);
      const text = reply(verb, line, usualOf(verb));
      if (verb === 'MAIL') [from, to] = [/<(.*?)>/.exec(line)?.[1] ?? '', []];
      if (verb === 'RCPT' && text.startsWith('250')) to.push(/<(.*?)>/.exec(line)?.[1] ?? '');
      if (verb === 'AUTH')
        login = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .slice(1)
          .replace('\0', ':');
      isData = verb === 'DATA' && text.startsWith('354');
      if (verb === 'STARTTLS' && text.startsWith('220') && tls) {
        socket.removeAllListeners('data');
        talk(encrypt(socket, tls), true, true);
      }
    };
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      for (;;) {
        if (isData) {
          if (!takeData()) return;
          continue;
        }
        const end = buffered.indexOf('\r\n');
        if (end < 0) return;
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        take(line);
      }
    });
    socket.on('error', () => undefined);
    if (!isGreeted) reply('GREETING', '', '220 localhost ESMTP');
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    talk(tls?.mode === 'tls' ? encrypt(socket, tls) : socket, tls?.mode === 'tls', false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, received, commands, countOpen: () => sockets.size };
}

const encrypt = (socket: Socket, { key, cert }: { readonly key: string; readonly cert: string }): TLSSocket =>
  new TLSSocket(socket, { isServer: true, key, cert });
