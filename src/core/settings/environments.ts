/** The environments of the service; `sandbox` is the default. The names are public. */
export const environments = ['sandbox', 'demo', 'live'] as const;
export type Environment = (typeof environments)[number];
