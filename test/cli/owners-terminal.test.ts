/** Where a passphrase can be typed. */
import { expect, test } from 'vitest';
import { requireOwnersTty } from '../../src/cli/with-app.ts';
import { testTerminal } from '../support/command.ts';

test.each([
  [true, 'Node’s inspector is open, so other programs can read the passphrase.'],
  [false, 'approve needs a terminal, where a person types the passphrase.'],
])('with the inspector open: %s, a missing terminal is said after it', (isInspected, message) => {
  // The terminal of this platform is on no machine that runs the tests.
  const terminal = testTerminal({ platform: 'win32', isInspected: () => isInspected });
  expect(() => requireOwnersTty(terminal, 'approve')).toThrow(message);
});
