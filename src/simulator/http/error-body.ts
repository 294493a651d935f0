import type { ApiError } from '../api-error.ts';
import { toUuid } from '../random.ts';
import type { Quirks } from '../testing/quirks.ts';

export interface Text {
  readonly contentType: string | undefined;
  readonly body: string;
}

type Form = Pick<Quirks, 'errorBody' | 'rateLimitBody' | 'traceIds'>;

const json = (value: unknown): Text => ({ contentType: 'application/json', body: JSON.stringify(value) });

const pascal = (code: string) => code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Titles that services were seen to use; a refused order has one title, whatever the code. */
const titles: Readonly<Record<string, string>> = {
  'invalid-request': 'The request is invalid',
  'entity-not-found': 'Requested entity not found',
  unauthorized: 'Unauthorized',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  'internal-error': 'Internal error',
  'too-many-requests': 'Too many requests',
  'duplicate-name': 'The request is invalid',
  'not-available-in-demo-account': 'Not available in demo account',
};
const orderTitle = 'Error while placing the order';

/** Returns an error body in one of the shapes that services of this kind use side by side. */
export function errorBody({ errorBody: shape, traceIds }: Form, error: ApiError, nowMs: number): Text {
  const { status, code, message: detail } = error;
  switch (shape) {
    case 'problem': {
      const traceId = traceIds ? toUuid(`trace ${nowMs} ${code} ${detail}`).replaceAll('-', '') : undefined;
      return json({ type: `/api-errors/${code}`, title: titles[code] ?? orderTitle, status, detail, traceId });
    }
    case 'code':
      return json({ code: pascal(code), clarification: detail });
    case 'business':
      return json({ code: 'BusinessException', context: { type: pascal(code) } });
    case 'text':
      return { contentType: 'text/plain', body: detail };
    case 'html':
      return {
        contentType: 'text/html',
        body: `<!doctype html><html><head><title>${status}</title></head><body><h1>${pascal(code)}</h1></body></html>`,
      };
    case 'empty':
      return { contentType: undefined, body: '' };
  }
}

/** The body of an exceeded limit that services were seen to send, with any status. */
export const tooManyRequestsException = json({ code: 'BusinessException', context: { type: 'TooManyRequests' } });
