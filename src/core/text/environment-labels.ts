/** What an environment is called: one form on pages, in views and in texts. Practice has one name, whichever it is. */

/** The name of every environment without real money. */
export const practiceName = 'PRACTICE';

/** Unknown environments are shown as live, because too much caution does less harm than too little. */
export function environmentLabels(environment: string): { name: string; meaning: string; look: 'live' | 'calm' } {
  switch (environment.toLowerCase()) {
    case 'live':
      return { name: 'LIVE', meaning: 'Real money', look: 'live' };
    case 'demo':
      return { name: practiceName, meaning: 'Demo, no real money', look: 'calm' };
    case 'sandbox':
      return { name: practiceName, meaning: 'Sandbox, no real money', look: 'calm' };
    default:
      return { name: environment.toUpperCase(), meaning: 'Treat this as real money', look: 'live' };
  }
}
