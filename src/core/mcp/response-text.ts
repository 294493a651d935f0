/** The text block of a tool result: JSON, with a prefix when it is an error. */

/**
 * Some hosts validate a bare JSON text against the output schema. No error matches it, so the model would see the
 * host's own complaint instead of the error; this prefix prevents that.
 */
const errorPrefix = 'Error: ';

export const formatErrorText = (body: object): string => errorPrefix + JSON.stringify(body);

/** Returns the JSON object of a text block of ours, result or error. Throws a SyntaxError for any other text. */
export const parseResponseText = (text: string): Record<string, unknown> =>
  JSON.parse(text.startsWith(errorPrefix) ? text.slice(errorPrefix.length) : text) as Record<string, unknown>;
