/** Validates results against the listed output schemas, and more strictly: a field that no schema names is a failure. */
import * as z from 'zod';
import type { ToolListing } from '../../src/core/mcp/tool.ts';

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** The same schema, in which each object has the fields that it names and no other. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (!isSchema(schema)) return schema;
  const { properties, ...rest } = schema;
  const closed = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'enum' ? value : close(value)]),
  );
  if (!isSchema(properties)) return closed;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, close(value)]));
  return { ...closed, properties: fields, additionalProperties: false };
}

/** By the schema as it is listed. */
const compiled = new WeakMap<Schema, z.ZodType>();

/** What is wrong with the result of a tool: empty when it is as its schema says. */
export function findSchemaFaults(listing: readonly ToolListing[], name: string, body: unknown): readonly string[] {
  const listed = listing.find((tool) => tool.name === name)?.outputSchema ?? {};
  const schema = compiled.get(listed) ?? z.fromJSONSchema(close(listed) as z.core.JSONSchema.JSONSchema);
  compiled.set(listed, schema);
  const { error } = schema.safeParse(body);
  return error ? describe(error.issues, []) : [];
}

const describe = (issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[]): string[] =>
  issues.flatMap((issue) => {
    const place = [...path, ...issue.path];
    return issue.code === 'invalid_union'
      ? issue.errors.flatMap((inner) => describe(inner, place))
      : [`${place.join('.')}: ${issue.message}`];
  });
