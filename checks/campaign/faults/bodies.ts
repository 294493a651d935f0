/** An acceptance whose body says too little, too much or something else. */
import type { Scene } from '../upstream.ts';
import { encodings, notHttp } from './bytes.ts';
import { answerWith, asText, type Case, lost, single } from './case.ts';
import { late } from './late.ts';

/** A 2xx response whose body says too little or something else. */
export function bodyCases(): Case[] {
  const ok = (name: string, body: (scene: Scene) => string | Buffer, expected: readonly string[], books = true): Case =>
    single(
      answerWith(name, books, (scene) => ({ status: 200, body: body(scene) })),
      expected,
    );
  const altered = (change: (order: Record<string, unknown>) => object) => (scene: Scene) =>
    JSON.stringify({ ...scene.order, ...change(scene.order) });
  const garbage = [
    ['empty', () => ''],
    ['not JSON', () => '{"id": 12, "quantity"'],
    ['a word', () => '"accepted"'],
    ['null', () => 'null'],
    ['a list', (scene: Scene) => `[${asText(scene)}]`],
    ['HTML', () => '<!doctype html><title>OK</title>'],
    ['binary', () => Buffer.from([0, 255, 254, 10, 13, 0, 200])],
    ['deep', () => '['.repeat(30_000)],
    ['without an id', altered(() => ({ id: undefined }))],
    ['with a null id', altered(() => ({ id: null }))],
    ['with a negative id', altered(() => ({ id: -5 }))],
    ['with a word as id', altered(() => ({ id: 'none' }))],
    ['larger than any order', altered(() => ({ note: 'x'.repeat(200_000) }))],
  ] as const;
  const echoes = [
    ['another quantity', altered(({ quantity }) => ({ quantity: Number(quantity) * 2 }))],
    ['the other side', altered(({ side }) => ({ side: side === 'BUY' ? 'SELL' : 'BUY' }))],
    ['another ticker', altered(() => ({ ticker: 'OTHER_US_EQ' }))],
    ['another type', altered(({ type }) => ({ type: type === 'LIMIT' ? 'STOP' : 'LIMIT' }))],
    ['unknown fields', altered(() => ({ campaign: { deep: [1, 2, { three: 3 }] } }))],
    ['an unknown status', altered(() => ({ status: 'CAMPAIGN' }))],
  ] as const;
  return [
    ...garbage.flatMap(([name, body]) => [true, false].map((books) => ok(`2xx ${name}`, body, lost, books))),
    ...echoes.map(([name, body]) => ok(`echo of ${name}`, body, ['placed'])),
    ok(
      'status REJECTED',
      altered(() => ({ status: 'REJECTED' })),
      ['rejected'],
      false,
    ),
    ...[201, 202, 203].map((status) =>
      single(
        answerWith(`status ${status}`, true, (scene) => ({ status, body: asText(scene) })),
        ['placed'],
      ),
    ),
    ...[204, 205, 206].map((status) =>
      single(
        answerWith(`status ${status}`, true, () => ({ status })),
        lost,
      ),
    ),
    ...notHttp().map((fault) => single(fault, lost)),
    ...encodings().map((fault) => single(fault, lost)),
    ...late(),
  ];
}
