/** The command types: writes the tools as TypeScript types and as an OpenAPI document, from the schemas of tools/list. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadListing } from '../app/load-listing.ts';
import { UsageError } from '../core/errors.ts';
import type { ToolListing } from '../core/mcp/tool.ts';
import { version } from '../core/process/version.ts';
import type { Command } from './command.ts';

const usage = 'types needs one folder for its two files: brokerage-mcp types FOLDER';

export const typesCommand: Command = async ({ words, flags }, terminal) => {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0) throw new UsageError(usage);
  const listing = await loadListing();
  const files = {
    'brokerage-mcp.d.ts': writeTypes(listing),
    'openapi.json': `${JSON.stringify(writeOpenApi(listing), undefined, 2)}\n`,
  };
  const existing = Object.keys(files).find((name) => existsSync(join(folder, name)));
  if (existing !== undefined && flags.force !== 'true')
    throw new UsageError(`${join(folder, existing)} exists; use another folder, or --force to overwrite its files`);
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${folder} cannot be written (${code}); choose another place`);
  }
  terminal.print(`Wrote ${Object.keys(files).join(' and ')} to ${folder}.`);
  return 0;
};

// The parts of JSON Schema that the listing has.

interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

const plainTypes: Readonly<Record<string, string>> = { integer: 'number', array: 'unknown[]' };

function toType(schema: Schema, indent: string): string {
  const { additionalProperties: rest, anyOf, enum: values, items, prefixItems, properties, type = 'unknown' } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map((one) => toType(one, indent)).join(' | ');
  if (prefixItems) return `[${prefixItems.map((one) => toCell(one, indent)).join(', ')}]`;
  if (items) return `Array<${toType(items, indent)}>`;
  if (properties) return toObject(schema, indent);
  if (type === 'object') return `Record<string, ${typeof rest === 'object' ? toType(rest, indent) : 'unknown'}>`;
  return plainTypes[type] ?? type;
}

/** A cell of a row has the name of its column. */
const toCell = (cell: Schema, indent: string): string =>
  cell.title === undefined ? toType(cell, indent) : `${cell.title}: ${toType(cell, indent)}`;

function toObject({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return [
      ...comment(field.description, inner),
      `${inner}${key}${required.includes(name) ? '' : '?'}: ${toType(field, inner)};`,
    ];
  });
  return lines.length === 0 ? 'Record<string, never>' : ['{', ...lines, `${indent}}`].join('\n');
}

const comment = (text: string | undefined, indent: string): string[] =>
  text === undefined ? [] : [`${indent}/** ${text.replaceAll('*/', '* /')} */`];

const writeTypes = (listing: readonly ToolListing[]): string =>
  [
    `// brokerage-mcp ${version}. Results can have more fields than these: the broker may add some.`,
    '',
    '/** Every tool by name: its arguments, and the structured content of its result. */',
    'export interface Tools {',
    ...listing.flatMap(({ name, description, inputSchema, outputSchema }) => [
      ...comment(description, '  '),
      `  ${name}: {`,
      `    arguments: ${toType(inputSchema, '    ')};`,
      `    result: ${toType(outputSchema, '    ')};`,
      '  };',
    ]),
    '}',
    '',
    '/** What follows `Error: ` in the text of a result whose `isError` is true. */',
    'export interface ToolError {',
    '  code: string;',
    '  message: string;',
    '  next: string;',
    '}',
    '',
  ].join('\n');

/** Version 3.1, whose schemas are those of JSON Schema. An operation is a tool; no server has these addresses. */
const writeOpenApi = (listing: readonly ToolListing[]) => ({
  openapi: '3.1.0',
  info: {
    title: 'brokerage-mcp',
    version,
    description: 'The tools of an MCP server: each operation is a tools/call with the name of its path.',
  },
  paths: Object.fromEntries(
    listing.map(({ name, title, description, inputSchema, outputSchema }) => [
      `/${name}`,
      {
        post: {
          operationId: name,
          summary: title,
          description,
          requestBody: { required: true, content: { 'application/json': { schema: inputSchema } } },
          responses: {
            200: { description: 'The structured content', content: { 'application/json': { schema: outputSchema } } },
          },
        },
      },
    ]),
  ),
});
