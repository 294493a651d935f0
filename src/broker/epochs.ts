import type { Records } from './ports.ts';

/** The number of the present epoch of an account; every write opens a new one. */
export interface Epochs {
  fetch(accountKey: string): Promise<number>;
  open(accountKey: string): Promise<void>;
}

export const createEpochs = (records: Records): Epochs => ({
  fetch: async (accountKey) => (await records.read<number>('epochs', accountKey)) ?? 0,
  open: (accountKey) =>
    records.update<number, void>('epochs', accountKey, (epoch) => ({ state: (epoch ?? 0) + 1, result: undefined })),
});
