/**
 * A schema that is shown and never asked: arguments are parsed by the pipeline itself, to answer a wrong
 * one with one sentence and a next step.
 */
export const passThrough = (schema: Record<string, unknown>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'brokerage-mcp',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});
