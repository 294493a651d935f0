/** Responses that are wrong below JSON: no HTTP, wrong chunks, unknown encodings. */
import type { Fault, Scene } from '../upstream.ts';
import { answerWith, asText } from './case.ts';

/** Bytes that are no HTTP response, or that are two. */
export function notHttp(): Fault[] {
  const raw = (name: string, bytes: (scene: Scene) => Buffer): Fault => ({
    name,
    books: true,
    play: async (scene) => {
      await scene.write(bytes(scene));
      scene.socket.end();
    },
  });
  return [
    raw('no HTTP', () => Buffer.from('SSH-2.0-campaign\r\n')),
    raw('an endless head', () => Buffer.from(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)),
    raw('a wrong chunk', () =>
      Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
    ),
    raw('no last chunk', (scene) => {
      const body = asText(scene);
      return Buffer.from(
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
      );
    }),
    raw('two lengths', () => Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}')),
  ];
}

export function encodings(): Fault[] {
  return ['gzip', 'br', 'deflate', 'campaign'].map((encoding) =>
    answerWith(`${encoding} that is none`, true, (scene) => ({
      status: 200,
      body: asText(scene),
      headers: { 'content-encoding': encoding },
    })),
  );
}
