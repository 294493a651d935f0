import type { Permission } from '../permissions.ts';
import type { Timeline } from '../timeline.ts';

export interface Violation {
  readonly rule: string;
  /** The place of the event in the record. */
  readonly line: number;
  readonly text: string;
}

export interface Evidence {
  readonly timeline: Timeline;
  readonly permissions: readonly Permission[];
}

export type Rule = (evidence: Evidence) => readonly Violation[];
