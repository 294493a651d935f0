/** The resources, as data: what a start needs of them. Each says what a tool says too, because many hosts show tools alone. */
import type { Toolset } from '../../config.ts';

export interface ResourceDefinition {
  readonly name: string;
  /** A URI, or a template with `{variables}`. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Left out where this toolset is; undefined is always there. */
  readonly toolset?: Toolset;
}

const json = 'application/json';
const markdown = 'text/markdown';

export const resources: readonly ResourceDefinition[] = [
  {
    name: 'account-summary',
    uri: 'account://summary',
    title: 'Account summary',
    description: 'Cash, investments and total value; what get_account_summary answers.',
    mimeType: json,
    toolset: 'account',
  },
  {
    name: 'positions',
    uri: 'portfolio://positions',
    title: 'Open positions',
    description: 'What is held, largest first; what list_positions answers.',
    mimeType: json,
    toolset: 'account',
  },
  {
    name: 'pending-orders',
    uri: 'orders://pending',
    title: 'Pending orders',
    description: 'Orders that are neither filled nor ended; what list_orders answers.',
    mimeType: json,
    toolset: 'orders',
  },
  {
    name: 'audit-today',
    uri: 'audit://today',
    title: 'What was done today',
    description: 'Orders, approvals, refusals, outcomes and halts since midnight UTC, oldest first.',
    mimeType: json,
  },
  {
    name: 'guide-orders',
    uri: 'guide://orders',
    title: 'How orders are placed here',
    description: 'Outcomes, approval, repeating, and what to do when an answer was lost.',
    mimeType: markdown,
  },
  {
    name: 'guide-limits',
    uri: 'guide://limits',
    title: 'Rate limits and history',
    description: 'What the account allows per endpoint, and how the local history is kept.',
    mimeType: markdown,
  },
  {
    name: 'history',
    uri: 'history://{kind}/{year}',
    title: 'A year of history',
    description: 'Orders, dividends or transactions of a calendar year (UTC); what fetch_history answers.',
    mimeType: json,
    toolset: 'history',
  },
  {
    name: 'instrument',
    uri: 'instrument://{ticker}',
    title: 'An instrument',
    description: 'Name, type, ISIN and currency behind an exact ticker; search_instruments finds it.',
    mimeType: json,
    toolset: 'instruments',
  },
  {
    name: 'export',
    uri: 'export://{reportId}',
    title: 'A downloaded CSV report',
    description: 'The file that download_export saved; cells that a spreadsheet would run are marked.',
    mimeType: 'text/csv',
    toolset: 'exports',
  },
];

export const isTemplate = ({ uri }: ResourceDefinition): boolean => uri.includes('{');
