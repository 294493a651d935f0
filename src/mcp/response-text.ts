/** The text block of a tool result: JSON, with a prefix when it is an error. */

/**
 * Some hosts check a text that is bare JSON against the output schema, which no error fits, and then show
 * the model their own complaint instead of the error.
 */
const errorPrefix = 'Error: ';

export const formatErrorText = (body: object): string => errorPrefix + JSON.stringify(body);

/** The JSON object in a text block of ours, whichever of the two it is. Throws a SyntaxError for any other text. */
export const parseResponseText = (text: string): Record<string, unknown> =>
  JSON.parse(text.startsWith(errorPrefix) ? text.slice(errorPrefix.length) : text) as Record<string, unknown>;
