/** A duration that is left, as a person says it; undefined when it is under a second, so that nothing takes "0 s". */
export function formatDuration(ms: number): string | undefined {
  const seconds = Math.ceil(ms / 1000);
  if (ms < 1000) return undefined;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
