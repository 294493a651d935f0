/** All commands except `serve`, in a separate file: a server never loads them into memory. */
import type { Command } from './command.ts';
import { checkInstallation } from './doctor.ts';
import { createInit } from './init.ts';

export { approveCommand } from './approve.ts';
export { callCommand } from './call.ts';
export { clientsCommand } from './clients.ts';
export { costBasisCommand } from './cost-basis.ts';
export { demoCommand } from './demo.ts';
export { doctorCommand } from './doctor.ts';
export { draftsCommand } from './drafts.ts';
export { enrollCommand } from './enroll.ts';
export { haltCommand } from './halt.ts';
export { formatCommandHelp, formatHelp } from './help.ts';
export { importCommand } from './import.ts';
export { passkeyCommand } from './passkey.ts';
export { plansCommand } from './plans.ts';
export { printConfigCommand } from './print-config.ts';
export { removeCommand } from './remove.ts';
export { reportCommand } from './report.ts';
export { simulateCommand } from './simulate.ts';
export { statusCommand } from './status.ts';
export { taxPackCommand } from './tax-pack.ts';
export { typesCommand } from './types.ts';
export { watchCommand, watchesCommand } from './watch.ts';

export const initCommand: Command = createInit(checkInstallation);
export { rejectCommand } from './approve.ts';
export { resumeCommand } from './resume.ts';
