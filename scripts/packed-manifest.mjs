/**
 * What `npm pack` and `npm publish` put into the package as its package.json: without scripts, which are for a checkout,
 * and without what only they need. npm packs the file on disk, so `prepack` writes it and `postpack` restores it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = 'package.json';
/** Beside what npm ignores; it remains only when packing was interrupted. */
const original = 'node_modules/.package.json.original';

/** The fields that only a checkout needs. */
const onlyForCheckout = ['scripts', 'devDependencies', 'overrides'];

function restore() {
  if (existsSync(original)) renameSync(original, file);
}

function write() {
  // An interrupted run left the file of a package here.
  restore();
  const text = readFileSync(file, 'utf8');
  writeFileSync(original, text);
  const packed = Object.fromEntries(
    Object.entries(JSON.parse(text)).filter(([name]) => !onlyForCheckout.includes(name)),
  );
  writeFileSync(file, `${JSON.stringify(packed, null, 2)}\n`);
}

const work = { write, restore }[process.argv[2] ?? ''];
if (!work) throw new Error('usage: node scripts/packed-manifest.mjs write|restore');
work();
