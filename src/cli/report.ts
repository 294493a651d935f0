import { existsSync } from 'node:fs';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { tools } from '../mcp/registry.ts';
import { runTool } from '../mcp/run-tool.ts';
import { buildReportPage } from '../views/report-page.ts';
import { compose } from './compose.ts';
import type { Command } from './main.ts';
import { createProcesses } from './processes.ts';

/** A first reading of ten years takes a quarter of an hour; this is how long the command waits for what is missing. */
const longestWaitMs = 4 * 60_000;
const askAgainMs = 5_000;

const questions = {
  portfolio: ['analyze_portfolio', { by: 'instrument' }],
  dividends: ['summarize_dividends', { groupBy: 'month', project: true }],
  gains: ['summarize_realised_gains', { method: 'broker' }],
  returns: ['calculate_returns', {}],
  costs: ['summarize_costs', { groupBy: 'name' }],
} as const;

/** Writes the portfolio as one HTML page that can be kept and printed. It holds account data: for its owner alone. */
export const reportCommand: Command = async ({ words, flags }, terminal) => {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new StartError('report needs one file to write: report FILE.html');
  if (!file.endsWith('.html')) throw new StartError(`the report is a page: give it a name like ${file}.html`);
  if (existsSync(file) && flags.force !== 'true')
    throw new StartError(`${file} exists; give another name, or --force to write over it`);
  // Told now: the reading can take minutes.
  await access(dirname(resolve(file)), constants.W_OK).catch(cannotWrite(file));
  const config = readConfig(flags, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);

  const composed = compose(config, { processes: createProcesses(terminal.processes) });
  await composed.ready();
  const { clock } = composed.services;
  const until = clock.now() + longestWaitMs;
  const answers: Record<string, unknown> = {};
  const told = new Set<string>();
  const warnOnce = (message: string) => {
    if (!told.has(message)) terminal.warn(message);
    told.add(message);
  };
  try {
    for (const [part, [tool, args]] of Object.entries(questions)) {
      for (;;) {
        const result = await runTool(tools, tool, args, composed.services, {
          signal: terminal.ending,
          onProgress: warnOnce,
        });
        answers[part] = result.body;
        const isWhole = result.isError || result.body.complete !== false;
        if (isWhole || clock.now() > until || terminal.ending.aborted) break;
        const pauseMs = Math.min(pauseOf(result.body), until - clock.now());
        terminal.warn(`The history for ${part} is still being read; asking again in ${Math.ceil(pauseMs / 1000)} s.`);
        await clock.sleep(pauseMs, terminal.ending).catch(() => undefined);
      }
    }
    const title = config.environment === 'sandbox' ? 'Portfolio report (simulated account)' : 'Portfolio report';
    const page = buildReportPage({ title, madeAt: clock.now(), answers });
    await writeFile(file, page, { mode: 0o600 }).catch(cannotWrite(file));
    const partial = Object.values(answers).filter((answer) => (answer as { complete?: unknown }).complete === false);
    terminal.print(`Wrote ${file}${partial.length > 0 ? '; parts of it are not complete, and say so' : ''}.`);
    return 0;
  } finally {
    await composed.close();
  }
};

const pauseOf = ({ retryAfterSeconds }: Readonly<Record<string, unknown>>): number =>
  typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : askAgainMs;

const cannotWrite = (file: string) => (error: NodeJS.ErrnoException) => {
  throw new StartError(`${file} cannot be written (${error.code ?? 'unknown'}); choose another place`);
};
