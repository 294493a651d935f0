import * as zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { decompressBody } from '../../../../src/core/broker/transport/send-request.ts';

const text = '{"quantity":1.5,"ticker":"ABC_US_EQ"}';
const plain = Buffer.from(text);
const mebibyte = 1_048_576;

const compressors = {
  gzip: zlib.gzipSync,
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
  'deflate without a wrapper': zlib.deflateRawSync,
} as const;

test.each<[string | undefined, keyof typeof compressors | 'nothing']>([
  [undefined, 'nothing'],
  ['', 'nothing'],
  [' ', 'nothing'],
  ['identity', 'nothing'],
  ['gzip', 'gzip'],
  ['GZip ', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['deflate', 'deflate'],
  ['deflate', 'deflate without a wrapper'],
])('a body of the encoding %j is read: compressed with %s', async (encoding, by) => {
  const body = by === 'nothing' ? plain : compressors[by](plain);
  expect((await decompressBody(body, encoding, 1_000)).toString()).toBe(text);
});

test.each(['zstd', 'compress', 'gzip, br', 'none'])('a body of the encoding %s is refused', async (encoding) => {
  await expect(decompressBody(plain, encoding, 1_000)).rejects.toThrow('unknown content encoding');
});

test.each<[string, keyof typeof compressors]>([
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['deflate', 'deflate'],
  ['deflate', 'deflate without a wrapper'],
])('the body of %s has at most the allowed bytes once inflated: compressed with %s', async (encoding, by) => {
  const body = compressors[by](Buffer.alloc(1_000, 'x'));
  expect(await decompressBody(body, encoding, 1_000)).toHaveLength(1_000);
  await expect(decompressBody(body, encoding, 999)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
});

/** A gzip file of one character that takes exactly this many bytes: the rest is its comment, which is no content. */
function gzipOf(size: number, bytes: number): Buffer {
  const file = zlib.gzipSync(Buffer.alloc(size), { level: 9 });
  const comment = Buffer.alloc(bytes - file.length, 'c');
  comment[comment.length - 1] = 0;
  const header = Buffer.from(file.subarray(0, 10));
  header[3] = 0x10;
  return Buffer.concat([header, comment, file.subarray(10)]);
}

test.each([
  ['a mebibyte', mebibyte, 2_000, mebibyte],
  ['a hundred times its compressed form', 1_200_000, 12_000, 1_200_000],
])('a body inflates to %s, and no further', async (_, size, bytes, allowed) => {
  const limits = 2 * mebibyte;
  expect(await decompressBody(gzipOf(size, bytes), 'gzip', limits)).toHaveLength(allowed);
  await expect(decompressBody(gzipOf(size + 1, bytes), 'gzip', limits)).rejects.toMatchObject({
    code: 'ERR_BUFFER_TOO_LARGE',
  });
});

test('a body that is not compressed as it claims is refused', async () => {
  await expect(decompressBody(plain, 'gzip', 1_000)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  await expect(decompressBody(zlib.gzipSync(plain).subarray(0, 20), 'gzip', 1_000)).rejects.toMatchObject({
    code: 'Z_BUF_ERROR',
  });
});
