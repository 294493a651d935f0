import { expect, test } from 'vitest';
import { getSchema } from '../../../src/core/store/migrations.ts';

/** Every table with its columns, written a second time. */
const tables = {
  records: ['space', 'name', 'value'],
  intents: [
    ...['id', 'account', 'environment', 'kind', 'state', 'ticker', 'fingerprint', 'repeat_of', 'order_id'],
    ...['handle', 'nonce', 'submission', 'leg', 'created_at', 'sent_at', 'data'],
  ],
  audit: ['seq', 'at', 'environment', 'kind', 'data', 'previous', 'hash'],
  history: ['account', 'kind', 'source', 'row_key', 'at', 'ticker', 'type', 'is_final', 'stretch', 'data'],
  snapshots: ['account', 'day', 'data'],
  drafts: ['id', 'account', 'environment', 'name', 'version', 'state', 'source', 'created_at', 'expires_at'],
  draft_versions: ['draft', 'version', 'created_at', 'channel', 'edit', 'legs'],
  submissions: [
    ...['id', 'draft', 'account', 'environment', 'state', 'repeat_of', 'handle', 'nonce', 'created_at', 'data'],
  ],
  submission_legs: ['submission', 'leg', 'state', 'data'],
  oauth_clients: ['id', 'kind', 'name', 'secret', 'redirects', 'created_at'],
  oauth_grants: ['id', 'client', 'name', 'place', 'scope', 'resource', 'environment', 'created_at', 'used_at'],
  oauth_tokens: ['hash', 'grant_id', 'kind', 'scope', 'expires_at', 'spent_at', 'redirect', 'challenge'],
  watches: ['account', 'id', 'created_at', 'data'],
  watch_sights: ['account', 'data'],
  watch_events: ['account', 'name', 'kind', 'happened_at', 'found_at', 'data'],
  watch_deliveries: ['account', 'item', 'channel', 'state', 'tries', 'claimed_at', 'next_at'],
};
const indexes = [
  ...['one_in_flight', 'one_repetition', 'intents_by_handle', 'intents_by_nonce', 'intents_by_order'],
  ...['intents_by_state', 'intents_by_account', 'intents_by_fingerprint', 'audit_by_time'],
  ...['audit_is_not_changed', 'audit_is_not_deleted', 'history_by_time', 'history_by_stretch', 'history_open'],
  ...['drafts_by_account', 'draft_versions_by_time', 'one_open_submission', 'one_repeated_submission'],
  ...['submissions_by_draft', 'one_intent_per_leg', 'submissions_by_handle', 'submissions_by_nonce'],
  ...['oauth_grants_by_client', 'oauth_tokens_by_grant', 'oauth_tokens_by_end'],
  ...['watch_events_by_time', 'watch_deliveries_by_time'],
];

test('the schema has each table with its columns, and each index and trigger', () => {
  const schema = getSchema('sqlite');
  expect(Object.fromEntries(schema.tables)).toEqual(tables);
  expect([...schema.others].sort()).toEqual([...indexes].sort());
});

test('the schema of PostgreSQL has the heartbeats of processes and one trigger more', () => {
  const schema = getSchema('postgres');
  expect(Object.fromEntries(schema.tables)).toEqual({ ...tables, processes: ['id', 'beat_at'] });
  expect([...schema.others].sort()).toEqual([...indexes, 'audit_is_not_emptied'].sort());
});
