/** Builds the program into dist: plain files of JavaScript, its data, and what others have a share in. */
import './check-node.cjs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildViews } from './build-views.mjs';
import { bundleProgram } from './bundle.mjs';
import { licencesOf } from './licences.mjs';
import { sbomOf } from './sbom.mjs';
import { writeSimulatorTypes } from './simulator-types.mjs';

const { files, inputs } = await bundleProgram();
for (const [name, page] of Object.entries(await buildViews())) files.set(`views/${name}.html`, page);
files.set('simulator.d.cts', await writeSimulatorTypes());
files.set('third-party-licenses.txt', await licencesOf(inputs));
files.set('sbom.cdx.json', await sbomOf(inputs));

await rm('dist', { recursive: true, force: true });
for (const [name, text] of files) {
  const file = join('dist', name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
await chmod('dist/brokerage-mcp.cjs', 0o755);
