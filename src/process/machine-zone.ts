/** The time zone of this machine (IANA name); UTC where the system reports none that can be used. */
export function getMachineZone(): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    return timeZone === undefined ? 'UTC' : new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    // Intl refuses the name that it reports itself when the system has no zone, such as Etc/Unknown.
    return 'UTC';
  }
}
