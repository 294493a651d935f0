import type { DraftLegTicket } from '../../core/orders/intent/draft-approval.ts';

interface LegMark {
  /** In a list of the orders. */
  readonly mark: string;
  /** Beside the facts of the order. */
  readonly note: string;
}

/** What can be unusual about a leg, in the sequence in which every channel shows it. */
const marks: Readonly<Record<'isPriceAssumed' | 'isDependent', LegMark>> = {
  isPriceAssumed: { mark: 'price assumed', note: 'The price that sized this order was assumed.' },
  isDependent: { mark: 'after the sells', note: 'It is sent after the sells are filled, which pay for it.' },
};

const names = Object.keys(marks) as (keyof typeof marks)[];

/** What a person has to know of a leg that waits for approval, on a page, in a terminal and in a form. */
export const listMarks = (leg: Pick<DraftLegTicket, keyof typeof marks>): readonly LegMark[] =>
  names.filter((name) => leg[name]).map((name) => marks[name]);
