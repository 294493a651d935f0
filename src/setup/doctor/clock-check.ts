import { orElse } from '../../core/log.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';
import { skipReason } from './test-request.ts';

/** Approvals are valid for two minutes, and recovery finds lost orders by time. */
const warnSeconds = 5;
const faultSeconds = 60;

/** Compares this machine's clock with the service's, by the Date header of the test request. */
export async function checkClock(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const skipped = skipReason(context);
  if (skipped) return [skipped];
  const answer = await context.askSummary(signal).catch(orElse('doctor', undefined));
  if (!answer) return [note('Unknown: the request got no response.', 'Fix the problem reported by "request".')];
  if (answer.serviceOffsetMs === undefined)
    return [
      answer.shared
        ? note('Unknown: the response was shared with an earlier request.', 'Run doctor again in a few seconds.')
        : note('Unknown: the service does not send its time.', 'Compare the clock with another one.'),
    ];
  // The header is cut to full seconds, so the average error is half a second.
  const seconds = Math.round((answer.serviceOffsetMs + 500) / 1_000);
  const distance = Math.abs(seconds);
  const says = `This machine’s clock is ${distance} s ${seconds > 0 ? 'behind' : 'ahead of'} the service’s`;
  if (distance <= warnSeconds) return [ok(`Within ${Math.max(1, distance)} s of the service’s.`)];
  const fix = fixFor(context.terminal.platform);
  if (distance <= faultSeconds) return [warning(`${says}.`, fix)];
  return [fault(`${says}: rate limits, approvals and the search for lost orders depend on it.`, fix)];
}

const fixFor = (platform: string): string => {
  const commands: Readonly<Record<string, string>> = {
    linux: 'sudo timedatectl set-ntp true',
    darwin: 'sudo sntp -sS time.apple.com',
    win32: 'w32tm /resync',
  };
  return `Synchronise the clock with the network: ${commands[platform] ?? 'see the manual of your system'} (in a virtual machine or a container, on its host).`;
};
