/** The time zones of texts for a person. */

/** The zone of this machine (IANA name); UTC where the system has none that can be used. */
export function getMachineZone(): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    // Intl refuses the name that it reports when the system has no zone, such as Etc/Unknown.
    return 'UTC';
  }
}

/** The zone of an account: the owner's setting, London for an account in pounds, else that of the machine. */
export const resolveZone = (configured: string | undefined, accountCurrency: string | undefined): string =>
  configured ?? (accountCurrency === 'GBP' ? 'Europe/London' : getMachineZone());
