import { accounts } from './accounts.ts';
import { documents } from './documents.ts';
import { drafts } from './drafts.ts';
import { orders } from './orders.ts';
import { plans } from './plans.ts';
import { portfolio } from './portfolio.ts';
import { questions } from './questions.ts';
import { scripts } from './scripts.ts';
import type { Eval, Group } from './types.ts';

export const groups: readonly Group[] = [
  'portfolio',
  'questions',
  'documents',
  'orders',
  'scripts',
  'plans',
  'drafts',
  'accounts',
];

export const all: readonly Eval[] = [
  ...portfolio,
  ...questions,
  ...documents,
  ...orders,
  ...scripts,
  ...plans,
  ...drafts,
  ...accounts,
];
