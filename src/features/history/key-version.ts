/**
 * Drops the page rows of a kind that an older version of this program stored with other keys. Their new keys would
 * not match, so a second read would store them twice.
 */
import type { HistoryKind } from './kinds.ts';
import { emptyMirror, type MirrorState } from './mirror-state.ts';
import type { HistoryStore } from './row-store.ts';

/** To be increased when the identity of a row in `kinds` changes. */
const versions: Readonly<Record<HistoryKind, number>> = { orders: 1, dividends: 2, transactions: 2 };

/** The store, where a history with outdated keys counts as unread and is emptied by the first change. */
export function withKeyVersion(store: HistoryStore): HistoryStore {
  const isOutdated = (state: MirrorState, kind: HistoryKind) => (state.keys ?? 1) !== versions[kind];
  const start = (state: MirrorState): MirrorState => ({
    ...emptyMirror,
    reports: state.reports,
    beginsAt: state.beginsAt,
    nextId: state.nextId,
  });
  return {
    change: (place, work) =>
      store.change(place, async (tx) => {
        const keys = versions[place.kind];
        const stored = await tx.state();
        if (stored && isOutdated(stored, place.kind)) {
          await tx.remove('pages');
          await tx.setState({ ...start(stored), keys });
        }
        return work({ ...tx, setState: (state) => tx.setState({ ...state, keys }) });
      }),
    read: (place, work) =>
      store.read(place, (tx) =>
        work({
          ...tx,
          state: async () => {
            const state = await tx.state();
            return state && isOutdated(state, place.kind) ? start(state) : state;
          },
        }),
      ),
  };
}
