/** The steps to live orders that an owner has not done yet. */
import { existsSync } from 'node:fs';
import { readEnrolment } from '../core/approval/enrollment/enrollment.ts';
import { orElse } from '../core/log.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { storeFile } from '../core/store/store-location.ts';
import { createDoctorContext } from '../setup/doctor/context.ts';

const enroll = 'brokerage-mcp enroll, in a terminal: a passphrase, the approval method, the limits';
const liveTrading = 'BROKER_LIVE_TRADING=true in the server’s environment, or "liveTrading": true in config.json';

/** `flags` are those of the server. A step counts as not done where the settings or the store cannot be read. */
export async function listLiveSteps(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Promise<readonly string[]> {
  // The server of a host does not get the variables of this shell.
  const context = createDoctorContext(flags, { ...terminal, env: { ...terminal.env, BROKER_LIVE_TRADING: undefined } });
  try {
    const { config, place } = context;
    const hasStore = config !== undefined && ('stateUrl' in place || existsSync(storeFile(place.stateDir)));
    const enrolment = hasStore
      ? await context.parts().journal.read(readEnrolment).catch(orElse('init', undefined))
      : undefined;
    return [...(enrolment ? [] : [enroll]), ...(config?.liveTrading ? [] : [liveTrading])];
  } finally {
    await context.close();
  }
}
