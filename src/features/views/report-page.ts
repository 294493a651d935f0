/** The static report: the drawings of the views on one page to keep, send and print. */

import { nameFile } from '../../core/text/environment-labels.ts';
import { defaultLocale } from '../../core/text/format-money.ts';
import { html } from '../../core/text/html-template.ts';
import { listGaps, readFrame, toFields } from './model/read-answer.ts';
import { readCosts } from './model/read-costs.ts';
import { readDividends } from './model/read-dividends.ts';
import { readGains } from './model/read-gains.ts';
import { readPortfolio } from './model/read-portfolio.ts';
import { readReturns } from './model/read-returns.ts';
import { buildPage } from './page.ts';
import { drawAllocation } from './render/draw-allocation.ts';
import { drawCosts } from './render/draw-costs.ts';
import { drawDividends } from './render/draw-dividends.ts';
import { drawGains } from './render/draw-gains.ts';
import { drawProfitLoss } from './render/draw-profit-loss.ts';
import { drawReturns } from './render/draw-returns.ts';
import { drawSources } from './render/draw-sources.ts';
import type { FormatOptions } from './render/format-values.ts';
import { drawPart, pageHead, sayIncomplete } from './render/section.ts';

/**
 * Results of the tools (structuredContent), or the error of a tool (`{code, message, next}`), which is shown instead of
 * its drawing. A missing part was not requested.
 */
export interface ReportResponses {
  /** Result of analyze_portfolio or list_positions. */
  readonly portfolio?: unknown;
  /** Result of summarize_dividends. */
  readonly dividends?: unknown;
  /** Result of summarize_realised_gains. */
  readonly gains?: unknown;
  /** Result of calculate_returns. */
  readonly returns?: unknown;
  /** Result of summarize_costs. */
  readonly costs?: unknown;
}

export interface ReportContent {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly answers: ReportResponses;
  /** Why data is missing, as a sentence; undefined when all of it was read. */
  readonly incomplete?: string | undefined;
  /** BCP 47 and IANA; undefined means those of this machine. */
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

/** Returns what the parts of a report lack, each with the name of its part. */
export const listReportGaps = (answers: ReportResponses): readonly string[] =>
  Object.entries(answers).flatMap(([name, answer]) =>
    listGaps(answer).map((gap) => `${partTitles[name as keyof ReportResponses]}: ${gap}`),
  );

const partTitles: Readonly<Record<keyof ReportResponses, string>> = {
  portfolio: 'Portfolio',
  dividends: 'Dividends',
  gains: 'Realised gains and losses',
  returns: 'Returns',
  costs: 'Costs',
};

export const reportTitle = 'Portfolio report';

/** Returns one HTML document that loads nothing and works without its script. */
export function buildReportPage({ title, madeAt, answers, incomplete, locale, timeZone }: ReportContent): string {
  // A page that is kept is read in another year: every day has its own.
  const look: FormatOptions = { locale: locale ?? defaultLocale, timeZone, isPart: true };
  const { portfolio, dividends, gains, returns, costs } = answers;
  const gaps = listReportGaps(answers);
  const frames = Object.values(answers).map((answer) => readFrame(toFields(answer)));
  const frame = frames.find(({ environment, simulated }) => simulated || environment !== undefined) ?? readFrame({});
  const sections = [
    drawPart(partTitles.returns, returns, readReturns, (model) =>
      drawReturns(model, look, drawSources(model, readPortfolio(toFields(portfolio)), look)),
    ),
    drawPart('Allocation', portfolio, readPortfolio, (model) => drawAllocation(model, look)),
    drawPart('Profit and loss', portfolio, readPortfolio, (model) => drawProfitLoss(model, look)),
    drawPart(partTitles.dividends, dividends, readDividends, (model) => drawDividends(model, look)),
    drawPart(partTitles.costs, costs, readCosts, (model) => drawCosts(model, look)),
    // Last, because the list of sales has no end that a page could be planned for.
    drawPart(partTitles.gains, gains, readGains, (model) => drawGains(model, look)),
  ].filter((drawn) => drawn !== undefined);
  const main = html`${pageHead(title, madeAt, frame, look)}
${sayIncomplete(incomplete, gaps)}
${sections.length === 0 ? html`<p class="say">This report is empty.</p>` : sections}`;
  return buildPage({
    title: nameFile(title, frame.simulated),
    look: 'report',
    main,
    styles: ['treemap', 'report', 'paper'],
  });
}
