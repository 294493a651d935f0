import type { Quirks } from '../testing/quirks.ts';

export interface Text {
  readonly contentType: string | undefined;
  readonly body: string;
}

const json = (value: unknown): Text => ({ contentType: 'application/json', body: JSON.stringify(value) });

const pascal = (code: string) => code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns an error body in one of the shapes that services of this kind use side by side. */
export function errorBody(shape: Quirks['errorBody'], status: number, code: string, detail: string): Text {
  switch (shape) {
    case 'problem':
      return json({ type: `/api-errors/${code}`, title: pascal(code), status, detail });
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

export const tooManyRequests = (shape: Quirks['errorBody']): Text =>
  errorBody(shape, 429, 'too-many-requests', 'too many requests');

/** The body of an exceeded limit as observed with status 200 and 400. */
export const tooManyRequestsException = json({ code: 'BusinessException', context: { type: 'TooManyRequests' } });
