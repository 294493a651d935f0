import { listFigures, measureToolList } from '../test/support/tool-list.ts';
import { buildToolListing } from '../src/app/build-tool-listing.ts';
const l=buildToolListing();
console.log(measureToolList(), 'loaded', listFigures(l.filter(t=>t._meta['anthropic/alwaysLoad'])).tokens);
console.log(l.map(t=>t.name+' '+listFigures([t]).tokens).join(', '));
