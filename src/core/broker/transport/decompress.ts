import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

const gunzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** Tables of rows shrink to about a fifteenth. A body that shrank far more has almost no content. */
const maxRatio = 100;
/** Up to this size the ratio does not matter: short bodies can be of one character. */
const freeBytes = 1024 * 1024;

/**
 * Decodes the content encoding of a body. `maxOutputLength` stops a decompression bomb while it inflates, because a
 * limit on received bytes does not limit the output; the output is at most `maxBytes`, and a hundred times the input
 * when it is over 1 MiB. Throws ERR_BUFFER_TOO_LARGE, a zlib error, or a plain Error
 * for an encoding that was not requested.
 */
export async function decompressBody(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const options = { maxOutputLength: Math.min(maxBytes, Math.max(freeBytes, body.length * maxRatio)) };
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return gunzip(body, options);
    case 'br':
      return brotli(body, options);
    case 'deflate':
      // "deflate" means zlib's wrapper (low nibble 8), but some services send it without.
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options) : inflateRaw(body, options);
    default:
      throw new Error('unknown content encoding');
  }
}
