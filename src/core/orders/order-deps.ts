/** What the order manager needs; the composition root provides it. */

import type { ApprovalService } from '../approval/approval-service.ts';
import type { TradingSettings } from '../approval/enrollment/live-origin-guard.ts';
import type { Broker, CallContext } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { InstrumentDirectory } from '../instruments/instrument-directory.ts';
import type { ProcessRegistry } from '../lease.ts';
import type { SnapshotReader } from './account/account-snapshot.ts';
import type { ApprovalChannels, Journal } from './intent/journal-port.ts';
import type { ConfiguredLimits } from './intent/risk-limits.ts';

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
  /** The same, after asking the service which account it is if that is not known yet. */
  readonly identifyAccount: (context: CallContext) => Promise<string>;
  /** A read-only process reads state and sends or changes nothing. */
  readonly readOnly: boolean;
}
