import { describeLocation, type StoreLocation, storeFile } from '../../core/store/store-location.ts';
import { countOf } from '../../core/text/count-of.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Checks that every table is complete, and that a sample of the rows of each can be read. Throws when the store cannot be read. */
export async function checkStoreContent({ parts, place }: DoctorContext): Promise<readonly Finding[]> {
  const { missing, unreadable, read } = await parts().inspectStore();
  const found: Finding[] = [];
  if (missing.length > 0)
    found.push(
      fault(`The store lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}.`, restore(place)),
    );
  if (unreadable.length > 0) {
    const rows = unreadable.map(({ table, rows, of }) => `${rows} of the ${of} rows of ${table} that were read`);
    found.push(fault(`The store has rows that cannot be read: ${rows.join(', ')}.`, restore(place)));
  }
  return found.length > 0 ? found : [ok(`All tables are complete, and ${countOf(read, 'row')} of them can be read.`)];
}

const restore = (place: StoreLocation): string => {
  const copy =
    'stateDir' in place
      ? `cp '${storeFile(place.stateDir)}' '${storeFile(place.stateDir)}.evidence'`
      : `pg_dump '${describeLocation(place)}' > evidence.sql`;
  return `Stop every server, keep a copy (${copy}), check the broker’s application for open orders, put a backup in place, and run brokerage-mcp halt restored before a server starts.`;
};
