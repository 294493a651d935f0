/** Views that hosts with MCP Apps show beside a result. The result is complete without them. */
export const viewNames = ['allocation', 'profit-loss', 'dividends', 'gains', 'draft', 'ticket'] as const;
export type ViewName = (typeof viewNames)[number];

export const viewUri = (name: ViewName): string => `ui://brokerage-mcp/${name}`;

export const viewTemplate = 'ui://brokerage-mcp/{view}';

export const viewMimeType = 'text/html;profile=mcp-app';

/** The view with this resource URI; undefined when there is none. */
export const viewNameIn = (uri: string): ViewName | undefined => viewNames.find((name) => viewUri(name) === uri);
