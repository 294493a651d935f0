/** What the desk is made of; the command line puts it together. */
import type { Broker, CallContext } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { InstrumentDirectory } from '../market/instrument-directory.ts';
import type { SnapshotReader } from './account/account-snapshot.ts';
import type { ApprovalService } from './approval/approval-service.ts';
import { readEnrolment } from './enrollment/enrollment.ts';
import type { TradingSettings } from './enrollment/trading-settings.ts';
import type { ApprovalChannels, Journal, JournalView, ProcessRegistry } from './intent/ports.ts';
import { type ConfiguredLimits, effectiveLimits, type RiskLimits } from './intent/risk-limits.ts';

export interface OrderDeps {
  readonly broker: Broker;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly settings: TradingSettings;
  readonly configuredLimits: ConfiguredLimits;
  readonly directory: InstrumentDirectory;
  readonly approvals: ApprovalService;
  readonly channels: ApprovalChannels;
  readonly facts: SnapshotReader;
  /** The stable key of the account that orders are for. */
  readonly accountKey: () => Promise<string>;
  /** The same, after the service was asked which account it is, unless that is known. */
  readonly knowAccount: (context: CallContext) => Promise<string>;
  /** A read-only process looks, and carries nothing on. */
  readonly readOnly: boolean;
}

/** The limits in force now: what was enrolled may have changed since the start. */
export const currentLimits = async (
  parts: Pick<OrderDeps, 'settings' | 'configuredLimits'>,
  tx: JournalView,
): Promise<RiskLimits> =>
  effectiveLimits(parts.settings.environment, parts.configuredLimits, (await readEnrolment(tx))?.limits);
