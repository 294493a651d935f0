import { analyticsCases } from './analytics.ts';
import type { WorkCases } from './case.ts';
import { marketCases } from './market.ts';
import { readingCases } from './reading.ts';

export const cases: WorkCases = { ...marketCases, ...readingCases, ...analyticsCases };
