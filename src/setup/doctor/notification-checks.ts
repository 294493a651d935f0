import { countOf } from '../../core/text/count-of.ts';
import { createSayMoment } from '../../core/text/format-moment.ts';
import { type DoctorContext, type Finding, fault, ok } from './context.ts';

/** Checks what the processes that watch have kept of the ways to notify. It sends nothing. */
export async function checkNotifications(context: DoctorContext): Promise<readonly Finding[]> {
  const { watching, services } = context.parts();
  const sayMoment = createSayMoment(context.terminal.zone(), services.clock);
  const failures = await watching.listFailures();
  if (failures.length > 0)
    return failures.map(({ message, next, failedAt }) =>
      fault(`${message} It was last tried ${sayMoment(failedAt)}.`, `${next} Then start the watch again.`),
    );
  const { command, url, mail } = context.config?.notify ?? {};
  const set = [command, url, mail].filter((way) => way !== undefined).length;
  return [ok(set === 0 ? 'No way to notify is set.' : `None of ${countOf(set, 'way')} to notify has failed.`)];
}
