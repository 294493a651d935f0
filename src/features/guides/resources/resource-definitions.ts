/**
 * The resources as plain data, which a start needs. Each repeats what a tool returns, because many hosts show tools
 * only.
 */
import type { Toolset } from '../../../core/settings/config.ts';

export interface ResourceDefinition {
  readonly name: string;
  /** A URI, or a template with `{variables}`. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** The resource is left out when this toolset is disabled; undefined means always listed. */
  readonly toolset?: Toolset;
}

const json = 'application/json';
const markdown = 'text/markdown';

export const resources: readonly ResourceDefinition[] = [
  {
    name: 'account-summary',
    uri: 'account://summary',
    title: 'Account summary',
    description: 'Cash, investments and total value, as returned by get_account_summary.',
    mimeType: json,
    toolset: 'account',
  },
  {
    name: 'positions',
    uri: 'portfolio://positions',
    title: 'Open positions',
    description: 'Holdings, largest first, as returned by list_positions.',
    mimeType: json,
    toolset: 'account',
  },
  {
    name: 'pending-orders',
    uri: 'orders://pending',
    title: 'Pending orders',
    description: 'Orders that are neither filled nor ended, as returned by list_orders.',
    mimeType: json,
    toolset: 'orders',
  },
  {
    name: 'draft',
    uri: 'draft://{draftId}',
    title: 'A draft of orders',
    description: 'The legs of a draft with estimates, checks and edits, as returned by list_drafts.',
    mimeType: json,
    toolset: 'drafting',
  },
  {
    name: 'audit-today',
    uri: 'audit://today',
    title: 'Audit trail of today',
    description: 'Orders, approvals, refusals, outcomes and halts since midnight UTC, newest first, in pages.',
    mimeType: json,
  },
  {
    // The SDK finds a URI that is no template only without a query.
    name: 'audit-page',
    uri: 'audit://today{?before}',
    title: 'Earlier events of today',
    description: 'The next page of audit://today; nextUri has its URI.',
    mimeType: json,
  },
  {
    name: 'guide-orders',
    uri: 'guide://orders',
    title: 'How orders are placed',
    description: 'Outcomes, approval, repeated orders, and what to do when a response is lost.',
    mimeType: markdown,
  },
  {
    name: 'guide-limits',
    uri: 'guide://limits',
    title: 'Rate limits and history',
    description: 'Rate limit of each endpoint, and how the local history is stored.',
    mimeType: markdown,
  },
  {
    name: 'history',
    uri: 'history://{kind}/{year}',
    title: 'A year of history',
    description:
      'Orders, dividends or transactions of a calendar year in timeZone (the tax zone), newest first, as returned by fetch_history; nextUri has the next page.',
    mimeType: json,
    toolset: 'history',
  },
  {
    name: 'instrument',
    uri: 'instrument://{ticker}',
    title: 'An instrument',
    description: 'Name, type, ISIN and currency of an exact ticker; find the ticker with search_instruments.',
    mimeType: json,
    toolset: 'instruments',
  },
  {
    name: 'export',
    uri: 'export://{reportId}',
    title: 'A downloaded CSV report',
    description:
      'The file saved by download_export, in pages; cells that a spreadsheet would run as formulas are marked.',
    mimeType: 'text/csv',
    toolset: 'exports',
  },
];

export const isTemplate = ({ uri }: ResourceDefinition): boolean => uri.includes('{');
