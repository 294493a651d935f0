/** What an environment is called: one form on pages, in views and in texts. */

/** The environment of simulated data, where nothing but its name is shown. */
export const simulatedName = 'SANDBOX';

/** A file can be passed on, so its title says that its records are simulated. */
export const nameFile = (title: string, isSimulated: boolean): string =>
  isSimulated ? `${title} (simulated account)` : title;

/** Unknown environments are shown as live, because too much caution does less harm than too little. */
export function environmentLabels(environment: string): { name: string; meaning: string; look: 'live' | 'calm' } {
  switch (environment.toLowerCase()) {
    case 'live':
      return { name: 'LIVE', meaning: 'Real money', look: 'live' };
    case 'demo':
      return { name: 'DEMO', meaning: 'Practice account, no real money', look: 'calm' };
    case 'sandbox':
      return { name: simulatedName, meaning: 'Simulated account, no real money', look: 'calm' };
    default:
      return { name: environment.toUpperCase(), meaning: 'Treat this as real money', look: 'live' };
  }
}
