/** Where the key may be sent: in live to the enrolled address alone, and an enrolled live key to no other address. */
import { beforeEach, expect, test } from 'vitest';
import { findOtherAddress, otherAddressError } from '../../../../src/core/approval/enrollment/enrollment.ts';
import { recordLiveOrigin } from '../../../../src/core/approval/enrollment/live-origin-guard.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

const enrolled = 'https://live.example';
const other = 'https://other.example';

let journal: Journal;

beforeEach(async () => {
  journal = createJournal(await createMemoryEngine(), createManualClock({ startAt: 0 })) as unknown as Journal;
});

const enrol = (origin: string | undefined) =>
  journal.change(async (tx) => {
    await tx.set('security', { approval: 'page', limits: {}, enrolledAt: 0, origin });
    await recordLiveOrigin(tx, { origin: enrolled, keyHash: 'live key' });
    // Moved since: the key was used there too, before the owner enrolled another address.
    await recordLiveOrigin(tx, { origin: 'https://earlier.example' });
  });
const find = (environment: 'live' | 'demo', address: string, keyHash: string | undefined) =>
  journal.read((tx) => findOtherAddress(tx, { environment, address, keyHash }));

test.each([
  ['live', enrolled, 'live key', undefined],
  ['live', 'https://LIVE.example:443/api/v0', undefined, undefined],
  ['live', other, 'live key', enrolled],
  ['live', other, undefined, enrolled],
  ['live', 'https://earlier.example', 'live key', enrolled],
  ['live', 'http://live.example', 'live key', enrolled],
  ['demo', enrolled, 'live key', undefined],
  ['demo', other, 'live key', enrolled],
  ['demo', other, 'demo key', undefined],
  ['demo', other, undefined, undefined],
  // Orders there are refused by the record of live services; reads say so.
  ['demo', 'https://earlier.example', 'live key', undefined],
] as const)('in %s, at %s, with the key %s, the key belongs to %s', async (environment, address, keyHash, to) => {
  await enrol(enrolled);
  expect(await find(environment, address, keyHash)).toBe(to);
});

test.each(['live', 'demo'] as const)('in %s every address is free where none is enrolled', async (environment) => {
  expect(await find(environment, other, 'live key')).toBeUndefined();
  await enrol(undefined);
  expect(await find(environment, other, 'live key')).toBeUndefined();
});

test('the error of a request names both addresses, each under its one name', () => {
  const error = otherAddressError(enrolled, 'https://Other.example/api/v0');
  expect({ code: error.code, facts: error.facts }).toEqual({
    code: 'not_configured',
    facts: { problem: 'other_address', enrolled, configured: other },
  });
  expect(error.message).toContain(`enrolled for ${enrolled},`);
  expect(error.message).toContain(`set to ${other},`);
});
