/**
 * The types of the package's one export, the simulator, as one file: the declarations are copied from the sources
 * with their comments. A file of each source would also need the types of packages that are not installed.
 */
import { readFile } from 'node:fs/promises';

/** The declarations of each source, in the order of the file. */
const declarations = {
  'src/core/clock.ts': ['Clock'],
  'src/simulator/index.ts': ['SimulatorOptions', 'Persistence', 'OtherAccount', 'SimulatedAccount', 'Simulator'],
  'src/simulator/world/trading-sessions.ts': ['PublishedDays'],
  'src/simulator/testing/test-clock.ts': ['TestClock'],
  'src/simulator/testing/quirks.ts': ['Quirks'],
  'src/simulator/testing/faults.ts': ['FaultKind', 'Fault'],
  'src/simulator/testing/external-events.ts': ['AppOrder', 'TestControls'],
  'src/simulator/http/simulator-server.ts': ['LoggedRequest'],
  'src/simulator/testing/ground-truth.ts': ['GroundTruth', 'BookedOrder', 'BookedFill'],
  'src/simulator/account/starting-account.ts': ['StartingAccount', 'StartingPosition', 'StartingInstrument'],
  'src/simulator/account/records.ts': [
    'OrderType',
    'Side',
    'OrderStatus',
    'InitiatedFrom',
    'OrderRecord',
    'TaxName',
    'TaxRecord',
    'FillRecord',
    'DividendRecord',
    'TransactionRecord',
    'PieRecord',
  ],
};

const functions = `/** Starts a simulator and resolves when it accepts requests. Rejects when the port is in use. */
export declare function startSimulator(options?: SimulatorOptions): Promise<Simulator>;

/** Creates a clock; \`startAt\` in milliseconds since the Unix epoch. */
export declare function createTestClock(startAt: number): TestClock;

/** The quirks of a simulator that is started without any. */
export declare const noQuirks: Readonly<Quirks>;

/** Quirks of form only: a correct client behaves the same with all of them on. */
export declare const allHarmlessQuirks: Readonly<Partial<Quirks>>;
`;

/** @returns {Promise<string>} the text of simulator.d.cts */
export async function writeSimulatorTypes() {
  const parts = [];
  for (const [file, names] of Object.entries(declarations)) {
    const text = await readFile(file, 'utf8');
    for (const name of names) parts.push(copyDeclaration(text, name, file));
  }
  const endpoints = await readList('src/core/endpoints/index.ts', 'export const endpoints = {', /^ {2}(\w+): /gm);
  const instruments = await readList(
    'src/core/endpoints/instruments.ts',
    'export const instrumentTypes = [',
    /'(\w+)'/g,
  );
  const fills = await readList('src/core/endpoints/history.ts', 'export const fillTypes = [', /'(\w+)'/g);
  parts.push(`/** The name of an endpoint. */\nexport type EndpointId =${union(endpoints)};\n`);
  parts.push(`export type InstrumentType =${union(instruments)};\n`);
  parts.push(`export type FillType =${union(fills)};\n`);
  const types = `${functions}\n${parts.join('\n')}`;
  refuseUnknownNames(types);
  return types;
}

/** The types of the language and of Node that the declarations may name. */
const knownTypes = ['AbortSignal', 'Omit', 'Partial', 'Promise', 'Readonly', 'Record'];

/** A source that names one more type would else be found by whoever compiles against the package. */
function refuseUnknownNames(types) {
  const code = types.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '');
  const declared = new Set(Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name]) => name));
  const unknown = Array.from(code.matchAll(/\b[A-Z]\w+/g), ([name]) => name).filter(
    (name) => !declared.has(name) && !knownTypes.includes(name),
  );
  if (unknown.length > 0) throw new Error(`The types of the simulator name ${unknown.join(', ')}: add the declaration`);
}

/** A type with the comment above it. It ends at the first line that ends the outermost bracket. */
function copyDeclaration(text, name, file) {
  const start = new RegExp(`^(?:export )?(?:interface|type) ${name}\\b`, 'm').exec(text);
  if (!start) throw new Error(`${file} declares no type ${name}`);
  const before = text.slice(0, start.index);
  const comment = before.endsWith('*/\n') ? before.slice(before.lastIndexOf('/**')) : '';
  const isInterface = start[0].includes('interface');
  const end = isInterface ? text.indexOf('\n}\n', start.index) + 3 : text.indexOf(';\n', start.index) + 2;
  return comment + text.slice(start.index, end).replace(/^(?!export)/, 'export ');
}

async function readList(file, opening, item) {
  const text = await readFile(file, 'utf8');
  const start = text.indexOf(opening);
  const end = text.indexOf('as const', start);
  if (start < 0 || end < 0) throw new Error(`${file} has no list that begins with ${opening}`);
  return [...text.slice(start, end).matchAll(item)].map(([, name]) => name);
}

const union = (names) => names.map((name) => `\n  | '${name}'`).join('');
