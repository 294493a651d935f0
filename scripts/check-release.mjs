/** Ends with 1, and says why, when a tag is not the release of this package.json: `node scripts/check-release.mjs v1.2.3`. */
import { packageFile } from './package-file.mjs';

const [tag] = process.argv.slice(2);
const { name, version, mcpName } = packageFile;
const faults = [
  tag !== `v${version}` && `The tag is ${tag}, and the version in package.json is ${version}.`,
  'private' in packageFile && packageFile.private && `package.json says "private": ${name} cannot be published.`,
  mcpName.startsWith('com.example/') && `mcpName is ${mcpName}; it needs a name of the publisher.`,
].filter(Boolean);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
