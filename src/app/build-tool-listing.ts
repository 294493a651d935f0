import * as z from 'zod';
import { text, yesNo } from '../core/mcp/output-schemas.ts';
import { buildAnnotations, isAboutMarket, isQuestion, type ToolListing, viewUri } from '../core/mcp/tool.ts';
import { environments } from '../core/settings/config.ts';
import { tools } from './registry.ts';

/** The listing of a tool, derived from its definition. */
export const listTool = (tool: (typeof tools)[number]): ToolListing => ({
  toolset: tool.toolset,
  ...(tool.alsoIn ? { alsoIn: tool.alsoIn } : {}),
  ...(tool.needs ? { needs: tool.needs } : {}),
  ...(tool.effect === 'drafts' ? { isInReadOnly: true } : {}),
  ...(isQuestion(tool) || isAboutMarket(tool) ? {} : { needsAccount: true }),
  ...(tool.weighsAccounts ? { weighsAccounts: true } : {}),
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: jsonSchema(tool.input, 'input'),
  outputSchema: jsonSchema(
    z.looseObject({
      env: z.enum(environments),
      simulated: yesNo(),
      asOf: z.string(),
      note: text(),
      shortened: z.record(z.string(), z.string()).optional(),
      ...tool.output(),
    }),
    'output',
  ),
  annotations: buildAnnotations(tool),
  _meta: {
    'anthropic/searchHint': tool.searchHint,
    ...(tool.alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
    ...(tool.view ? { ui: { resourceUri: viewUri(tool.view) } } : {}),
  },
});

export const buildToolListing = (): ToolListing[] => tools.map(listTool);

/** JSON Schema 2020-12 is MCP's default dialect, so `$schema` is left out to save tokens. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shown = z.globalRegistry.get(zodSchema as unknown as z.ZodType)?.shown as
        | Record<string, unknown>
        | undefined;
      if (shown) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
        Object.assign(jsonSchema, shown);
      }
      // The pipeline checks lengths, and an error names them: they would cost each session tokens.
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
    },
  });
  return portable(rest) as Record<string, unknown>;
}

/**
 * The same schema as more hosts read it: each part has one type, where zod lists two for a value that can be null. A row
 * has no end: clients that know drafts before 2020-12 apply `items` to all of a row, and refuse the result. That an object
 * can have other fields is the default.
 */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, additionalProperties, items, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, portable(value)]),
  );
  const isAny = typeof additionalProperties === 'object' && Object.keys(additionalProperties as object).length === 0;
  return {
    ...(Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : type === undefined ? {} : { type }),
    ...rest,
    ...(items === undefined || items === false ? {} : { items }),
    ...(isAny || additionalProperties === undefined ? {} : { additionalProperties }),
  };
}
