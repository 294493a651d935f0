/** The checks of figures in a result: only their number when all hold, because a reader acts on those that fail. */
import * as z from 'zod';
import type { Check } from './check.ts';

export const formatChecks = (checks: readonly Check[]) =>
  checks.length > 0 && checks.every(({ holds }) => holds) ? { passed: checks.length } : checks;

export const checksOutput = () =>
  z.union([z.looseObject({ passed: z.number() }), z.array(z.looseObject({}))]).optional();
