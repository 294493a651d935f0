import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { isWithin } from '../../text/json.ts';
import { describeNetworkError, errorCode, type FailureKind, type NetworkReason, TransportFailure } from './failure.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** No response of the interface is nested deeper than ten. */
const maxDepth = 512;

export interface ExchangeLimits {
  readonly maxBytes: number;
  /** The values of a JSON body, which can take fifty times its size in memory; undefined for any other body. */
  readonly maxValues: number | undefined;
  /** From the first byte sent to the last byte read (ms). */
  readonly responseTimeoutMs: number;
  /** The total time, including the wait for a connection (ms). */
  readonly totalMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly now: () => number;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * Sends one request on one dispatcher and reads its complete response. Uses real timers, because it waits for real
 * sockets. Throws a TransportFailure.
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  wire: WireRequest,
  limits: ExchangeLimits,
): Promise<RawResponse> {
  const { encoded, ...answer } = await receive(dispatcher, wire, limits);
  try {
    const body = await decompressBody(encoded, answer.headers['content-encoding'], limits.maxBytes);
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (limits.maxValues !== undefined && isSuccess && !isWithin(body, { maxDepth, maxValues: limits.maxValues }))
      throw new TransportFailure('too_large', true, 'the response has too many values', answer.headers);
    return { ...answer, text: new TextDecoder('utf-8', { ignoreBOM: false }).decode(body) };
  } catch (error) {
    if (error instanceof TransportFailure) throw error;
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE')
      throw new TransportFailure(
        'too_large',
        true,
        `the response is larger than ${limits.maxBytes} bytes, or far larger than its compressed form`,
        answer.headers,
      );
    const cutOff = errorCode(error) === 'Z_BUF_ERROR';
    throw new TransportFailure(
      cutOff ? 'broken' : 'unreadable',
      true,
      cutOff ? 'the response was truncated' : 'the response could not be decompressed',
      answer.headers,
    );
  }
}

const tooLarge = (maxBytes: number, headers: Readonly<Record<string, string>> | undefined) =>
  new TransportFailure('too_large', true, `the response is larger than ${maxBytes} bytes`, headers);

function receive(dispatcher: Dispatcher, wire: WireRequest, limits: ExchangeLimits) {
  return new Promise<Omit<RawResponse, 'text'> & { encoded: Buffer }>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    let askedAt = limits.now();
    let answeredAt = askedAt;
    let status = 0;
    let headers: Record<string, string> | undefined;
    let size = 0;
    const chunks: Buffer[] = [];

    const finish = () => {
      over = true;
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', cancel);
    };
    const fail = (failure: TransportFailure) => {
      if (over) return;
      finish();
      reject(failure);
      controller?.abort(failure);
    };
    const failAs = (kind: FailureKind, reason: string | NetworkReason) =>
      fail(new TransportFailure(kind, controller !== undefined, reason, headers));
    const cancel = () => failAs('cancelled', 'the caller disconnected');
    const late = () =>
      failAs('timeout', controller ? 'no complete response before the timeout' : 'no connection before the timeout');

    let timer = setTimeout(late, limits.totalMs);
    const startedAt = performance.now();
    if (limits.signal?.aborted) return cancel();
    limits.signal?.addEventListener('abort', cancel, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        // Cancelled while waiting for a connection; aborting here prevents any byte from being sent.
        if (over) return started.abort(new Error('aborted'));
        // A dispatcher can send a request again on its own, but the rate limit slot covers only one.
        if (controller) return started.abort(new Error('a request is sent only once'));
        controller = started;
        askedAt = limits.now();
        clearTimeout(timer);
        const leftMs = limits.totalMs - (performance.now() - startedAt);
        timer = setTimeout(late, Math.max(0, Math.min(limits.responseTimeoutMs, leftMs)));
      },
      onResponseStart: (_, code, raw) => {
        if (code < 200) return;
        answeredAt = limits.now();
        status = code;
        headers = flatten(raw);
        if (Number(headers['content-length']) > limits.maxBytes) fail(tooLarge(limits.maxBytes, headers));
      },
      onResponseData: (_, chunk) => {
        size += chunk.length;
        if (size > limits.maxBytes) fail(tooLarge(limits.maxBytes, headers));
        else if (!over) chunks.push(chunk);
      },
      onResponseEnd: () => {
        if (over) return;
        finish();
        resolve({ status, headers: headers ?? {}, askedAt, answeredAt, encoded: Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => {
        if (!controller) return failAs('connect', describeNetworkError(error));
        failAs(isUnreadable(error) ? 'unreadable' : 'broken', describeNetworkError(error));
      },
    };
    dispatcher.dispatch(
      { ...wire, body: wire.body ?? null, headers: { ...wire.headers }, headersTimeout: 0, bodyTimeout: 0 },
      handler,
    );
  });
}

/** Whether the HTTP client failed because the response is not HTTP, or its headers are too long. */
export const isUnreadable = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'HTTPParserError') || errorCode(error) === 'UND_ERR_HEADERS_OVERFLOW';

const flatten = (raw: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

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
