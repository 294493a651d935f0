import type { SayMoment } from '../../text/say-moment.ts';
import type { Halt } from './halt.ts';

const causes: Readonly<Record<Halt['by'], string>> = { command: 'a command', rule: 'a rule', file: 'a file' };

/** Since when trading is halted, by what and why: what follows "halted". */
export const describeHalt = ({ at, by, rule, reason }: Halt, sayMoment: SayMoment): string =>
  `since ${sayMoment(at)} by ${rule === undefined ? causes[by] : `the rule ${rule}`}: ${reason}`;
