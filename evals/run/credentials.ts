/** Of the simulated account. */
export const credentials = { key: 'evals-key', secret: 'evals-secret' } as const;
