/** Of the simulated account. */
export const credentials = { key: 'evals-key', secret: 'evals-secret' } as const;

/** Of the second account, where the person has two. */
export const credentialsOfSecond = { key: 'evals-second-key', secret: 'evals-second-secret' } as const;
