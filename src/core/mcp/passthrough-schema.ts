/**
 * A JSON Schema that is listed but never validated: the tool pipeline parses the arguments, so that an error has one
 * sentence and a next step.
 */
export const passThrough = (schema: Record<string, unknown>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'brokerage-mcp',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});
