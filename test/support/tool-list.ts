import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import type { ToolListing } from '../../src/core/mcp/tool.ts';

export interface ListFigures {
  readonly tools: number;
  readonly tokens: number;
  readonly bytes: number;
}

/** The most tokens of the tool list: of every tool, and of those with `--read-only`. */
export const tokenBudgets = { all: 5_000, readOnly: 3_000 };

/** What the tool list costs a model that reads name, description and input schema (o200k). */
export function listFigures(listing: readonly ToolListing[]): ListFigures {
  const text = JSON.stringify(
    listing.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
  return { tools: listing.length, tokens: encode(text).length, bytes: Buffer.byteLength(text) };
}

export function measureToolList(): { readonly all: ListFigures; readonly readOnly: ListFigures } {
  const listing = buildToolListing();
  return {
    all: listFigures(listing),
    readOnly: listFigures(listing.filter((tool) => tool.annotations.readOnlyHint || tool.isInReadOnly)),
  };
}
