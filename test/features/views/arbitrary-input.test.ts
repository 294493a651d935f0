/** A view draws something for any input from a host: it never throws and never writes an invalid number. */
// @module-tag slow
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Markup } from '../../../src/core/text/html-template.ts';
import { type Fields, readResult } from '../../../src/features/views/model/read-answer.ts';
import { readCosts } from '../../../src/features/views/model/read-costs.ts';
import { readDividends } from '../../../src/features/views/model/read-dividends.ts';
import { readDocument } from '../../../src/features/views/model/read-document.ts';
import { readDraft } from '../../../src/features/views/model/read-draft.ts';
import { readGains } from '../../../src/features/views/model/read-gains.ts';
import { readPortfolio } from '../../../src/features/views/model/read-portfolio.ts';
import { readTicket } from '../../../src/features/views/model/read-ticket.ts';
import { drawAllocation } from '../../../src/features/views/render/draw-allocation.ts';
import { drawCosts } from '../../../src/features/views/render/draw-costs.ts';
import { drawDividends } from '../../../src/features/views/render/draw-dividends.ts';
import { drawDocument } from '../../../src/features/views/render/draw-document.ts';
import { drawDraft } from '../../../src/features/views/render/draw-draft.ts';
import { drawGains } from '../../../src/features/views/render/draw-gains.ts';
import { drawProfitLoss } from '../../../src/features/views/render/draw-profit-loss.ts';
import { drawTicket } from '../../../src/features/views/render/draw-ticket.ts';
import type { FormatOptions } from '../../../src/features/views/render/format-values.ts';
import { runs } from '../../support/runs.ts';
import {
  costs,
  dividends,
  gains,
  plan,
  portfolio,
  recurringPlan,
  savedReport,
  stoppedDraft,
  ticket,
} from './answers.ts';

const look = { locale: 'en-GB', timeZone: 'UTC', now: 1773653423000 };

const view =
  <Model>(
    read: (answer: Fields) => Model | undefined,
    draw: (model: Model, look: FormatOptions & { now: number }) => Markup,
  ) =>
  (answer: Fields): string => {
    const model = read(answer);
    return model === undefined ? '' : draw(model, look).markup;
  };

const views = [
  view(readPortfolio, drawAllocation),
  view(readPortfolio, drawProfitLoss),
  view(readDividends, drawDividends),
  view(readGains, drawGains),
  view(readDraft, drawDraft),
  view(readTicket, drawTicket),
  view(readCosts, drawCosts),
  view(readDocument, drawDocument),
];

/** A decimal of any size, or a value of another type. */
const oddValue = fc.oneof(
  fc.stringMatching(/^-?\d{1,400}(\.\d{1,30})?$/),
  fc.constantFrom('2026-13', '2026-03', '2026-Q9', '9999-99-99', '', '-', '0E-10', null, 8.64e15, -1e300),
  fc.anything(),
);

/** A good result in which some parts, at any depth, are replaced. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return fc.tuple(...value.slice(0, 4).map(orOdd));
  if (typeof value === 'object' && value !== null)
    return fc.record(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, orOdd(part)])));
  return fc.constant(value);
};
const orOdd = (value: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: spoilt(value) }, { weight: 1, arbitrary: oddValue });

test('any result is read as a result or an error', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(['answer', 'error']).toContain(readResult(value).kind);
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  ['portfolio', portfolio],
  ['dividends', dividends],
  ['gains', gains],
  ['plan', plan],
  ['draft', stoppedDraft],
  ['ticket', ticket],
  ['recurring plan', recurringPlan],
  ['cost', costs],
  ['document', savedReport],
])('a spoilt %s is drawn without an exception by every view', (_, answer) => {
  fc.assert(
    fc.property(spoilt(answer), (body) => {
      for (const draw of views) {
        const markup = draw(body as Fields);
        // What a length could be spoilt to; a text may contain these terms.
        expect(markup).not.toMatch(/ (x|y|x1|x2|y1|y2|cx|cy|width|height)="(NaN|-?Infinity|-[^"]+|undefined)"/);
      }
    }),
    { numRuns: runs(150) },
  );
});
