/** `npm run bench`: the figures that the design names, measured in one run and printed as a table. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { measureToolList } from '../../test/support/tool-list.ts';
import { measureAnalytics } from './analytics.ts';
import { measureHostile } from './hostile.ts';
import { measureIdle } from './idle.ts';
import { measureImport } from './import.ts';
import { measureInstall } from './install.ts';
import { measureLongHistory } from './long-history.ts';
import { measurePlan } from './plan.ts';
import { measureQuestions } from './questions.ts';
import { measureReport } from './report.ts';
import { measureSearch } from './search.ts';
import { measureStart } from './start.ts';
import { measureSync } from './sync.ts';
import { measureWatchedOrders } from './watched-orders.ts';
import { measureWork } from './work.ts';

const binary = 'dist/brokerage-mcp.cjs';
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });

const start = await measureStart(binary, 15);
const list = measureToolList();
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
);
const questions = await measureQuestions();
const search = measureSearch();
const idle = await measureIdle(binary);
const watched = await measureWatchedOrders(binary, 7);
const hostile = await measureHostile(binary);
const analytics = measureAnalytics();
const plan = await measurePlan();
const report = await measureReport(52_000);
const long = await measureLongHistory(binary, { fills: 100_000, dividends: 20_000 });
const work = measureWork();
const install = await measureInstall();
const imported = await measureImport({ fills: 10_000, dividends: 3_000, years: 8 });
/** Long enough that the fifty milliseconds at each window's end matter as little as in a minute. */
const periodSeconds = 8;
const syncs = [];
for (const [processes, kill] of [
  [1, false],
  [3, false],
  [8, false],
  [8, true],
] as const)
  syncs.push({ kill, figures: await measureSync(binary, { processes, kill, periodSeconds }) });

const rows: string[][] = [
  ['what', 'measured', 'target'],
  [
    'start: spawn to tools/list, against `node -e 0`',
    `${start.ratio.toFixed(2)} × (${start.serverMs.toFixed(0)} ms / ${start.nodeMs.toFixed(0)} ms)`,
    '≤ 2.00 ×',
  ],
  [
    'the same, against a server of one tool of the same SDK',
    `${start.ratioToSmallest.toFixed(2)} × (${start.serverMs.toFixed(0)} ms / ${start.smallestMs.toFixed(0)} ms)`,
    '≤ 1.05 ×',
  ],
  [
    'tools/list, all tools',
    `${list.all.tokens} tokens, ${list.all.bytes} bytes, ${list.all.tools} tools`,
    '≤ 5000 tokens',
  ],
  [
    'tools/list, read-only',
    `${list.readOnly.tokens} tokens, ${list.readOnly.bytes} bytes, ${list.readOnly.tools} tools`,
    '≤ 3000 tokens',
  ],
  [
    'the package: to fetch / unpacked',
    `${(packed.size / 1000).toFixed(0)} kB / ${(packed.unpackedSize / 1000).toFixed(0)} kB`,
    '≤ 1,000 kB',
  ],
  [
    'memory when idle: nothing asked yet / after 62 reads',
    idle.megabytes === undefined
      ? 'not told by this system'
      : `${idle.megabytes.toFixed(0)} MB / ${idle.megabytesAfterReads?.toFixed(0)} MB`,
    '≤ 90 MB',
  ],
  [
    'nothing in a cache: npm install / npx to the first answer',
    install
      ? `${install.installSeconds.toFixed(1)} s / ${install.firstAnswerSeconds.toFixed(1)} s`
      : 'not measured: nothing could be installed',
    '≤ 10 s',
  ],
  ['cached read, through the client', `p95 ${idle.cachedReadP95Ms.toFixed(1)} ms`, '≤ 20 ms'],
  [
    'an order while another process watches the account / without it',
    `${watched.watchedMs.toFixed(0)} ms / ${watched.plainMs.toFixed(0)} ms, longest ${watched.longestWatchedMs.toFixed(0)} ms / ${watched.longestPlainMs.toFixed(0)} ms, ${watched.refused} refused`,
    'equal, 0 refused',
  ],
  ['end of the input to the exit', `${idle.goodbyeMs.toFixed(0)} ms`, '≤ 4 s'],
  ...syncs.map(({ kill, figures }) => [
    `full sync of ${figures.rows} rows, ${figures.processes} process${figures.processes === 1 ? '' : 'es'}${kill ? ', one killed' : ''}`,
    `${figures.ratio.toFixed(3)} × (${figures.seconds.toFixed(1)} s / ${figures.leastSeconds} s), ${figures.requests} requests, ${figures.refused} refused${figures.allComplete ? '' : ', NOT COMPLETE'}`,
    '≤ 1.05 ×, 0 refused',
  ]),
  [
    `import of ${imported.fills} fills and ${imported.dividends} dividends through ${imported.reports} reports, simulated time`,
    `${(imported.reportSeconds / imported.leastSeconds).toFixed(3)} × (${imported.reportSeconds.toFixed(0)} s / ${imported.leastSeconds} s), ${imported.refused} refused`,
    '≤ 1.10 ×, 0 refused',
  ],
  [
    `the same through ${imported.pages} pages, against reports`,
    `${(imported.pageSeconds / imported.reportSeconds).toFixed(1)} × slower (${imported.pageSeconds.toFixed(0)} s, at least ${imported.leastPageSeconds} s); ${imported.unequal.length === 0 ? 'figures equal' : `UNEQUAL: ${imported.unequal.join(', ')}`}`,
    '≥ 4 ×, figures equal',
  ],
  [
    `requests for ${questions.questions} questions: first, again, an hour later`,
    `${questions.cold} (${questions.historyPages} pages of history), ${questions.again}, ${questions.hourLater}; at most ${questions.mostLater} a question`,
    '≤ 1 a question later',
  ],
  [`search over ${search.instruments} instruments`, `p95 ${search.p95Ms.toFixed(1)} ms`, '≤ 10 ms'],
  ...hostile.map(({ scenario, peakMegabytes, worstAnswerMs, serverMs, answers, failed }) => [
    `over HTTP, hostile clients: ${scenario}`,
    `${peakMegabytes?.toFixed(0) ?? 'unknown'} MB, slowest answer ${worstAnswerMs.toFixed(0)} ms (server at work ${serverMs?.toFixed(0) ?? 'unknown'} ms), ${failed} of ${answers} refused`,
    '≤ 250 MB, ≤ 1,000 ms, 0 refused',
  ]),
  ...Object.entries(analytics).map(([name, ms]) => [`100,000 rows: ${name}`, `${ms.toFixed(0)} ms`, '≤ 300 ms']),
  [
    `plan of ${plan.legs} legs, ${plan.sells} of them sells, over ${plan.fills} fills`,
    `${plan.ms.toFixed(0)} ms`,
    '≤ 300 ms',
  ],
  [
    `a report of ${report.megabytes.toFixed(1)} MB and ${report.rows} rows, read and stored`,
    `longest pause ${report.longestPauseMs.toFixed(0)} ms, ${report.peakMegabytes.toFixed(0)} MB more, ${report.seconds.toFixed(1)} s`,
    '≤ 100 ms',
  ],
  ...long.questions.map(({ name, firstMs, againMs }) => [
    `a server with 100,000 fills and 20,000 dividends: ${name}, first and again`,
    `${firstMs.toFixed(0)} ms, ${againMs.toFixed(0)} ms`,
    '≤ 3,000 ms, ≤ 500 ms',
  ]),
  [
    'the same: memory at most, over all of these questions',
    long.peakMegabytes === undefined ? 'not told by this system' : `${long.peakMegabytes.toFixed(0)} MB`,
    '≤ 250 MB',
  ],
  ...work.map(({ name, size, ms }) => [`${name}, ${size.toLocaleString('en')}`, `${ms.toFixed(1)} ms`, '']),
];
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
process.stdout.write(
  `Node ${process.version}, ${cpus().length} cores; medians of ${start.runs} interleaved runs.\n\n${lines.join('\n')}\n`,
);
