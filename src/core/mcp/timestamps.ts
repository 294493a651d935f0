const dateShape = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimeShape =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * Parses an ISO 8601 date (as UTC midnight) or a date-time with an offset; returns milliseconds since 1970. Returns
 * undefined for anything else, also for a day that does not exist: Date.parse would turn 30 February into March.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = dateShape.exec(text) ?? dateTimeShape.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const calendar = new Date(Date.UTC(year, month - 1, day));
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a text that `parseTimestamp` accepts is a date without a time. */
export const isDate = (text: string): boolean => dateShape.test(text);

export const toIsoTimestamp = (ms: number): string => new Date(ms).toISOString();
