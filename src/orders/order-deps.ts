/** What the desk is made of; the command line puts it together. */
import type { Broker, CallContext } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { InstrumentDirectory } from '../market/instrument-directory.ts';
import type { FactsReader } from './account/account-snapshot.ts';
import type { AllApprovals } from './approval/approval-service.ts';
import { readEnrolment } from './enrollment/enrollment.ts';
import type { TradingSettings } from './enrollment/trading-settings.ts';
import type { Channels, Journal, JournalView, Processes } from './intent/ports.ts';
import { type ConfiguredLimits, limitsInForce, type RiskLimits } from './intent/risk-limits.ts';

export interface DeskParts {
  readonly broker: Broker;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly settings: TradingSettings;
  readonly configuredLimits: ConfiguredLimits;
  readonly directory: InstrumentDirectory;
  readonly approvals: AllApprovals;
  readonly channels: Channels;
  readonly facts: FactsReader;
  /** The stable key of the account that orders are for. */
  readonly accountKey: () => Promise<string>;
  /** The same, after the service was asked which account it is, unless that is known. */
  readonly knowAccount: (context: CallContext) => Promise<string>;
  /** A read-only process looks, and carries nothing on. */
  readonly readOnly: boolean;
}

/** The limits in force now: what was enrolled may have changed since the start. */
export const limitsNow = async (
  parts: Pick<DeskParts, 'settings' | 'configuredLimits'>,
  tx: JournalView,
): Promise<RiskLimits> =>
  limitsInForce(parts.settings.environment, parts.configuredLimits, (await readEnrolment(tx))?.limits);
