/** Runs scenarios on two workers, and mutants until each is caught. */
import { startPostgres } from '../../test/support/postgres.ts';
import { buildMutant, buildProgram, type Program } from './build.ts';
import { openSite, type Site, type SiteOptions } from './fixture.ts';
import { type Mutant, mutants } from './mutants.ts';
import { createRandom } from './random.ts';
import type { MutantResult } from './result-table.ts';
import { createTally, type Tally } from './results.ts';
import { scenarios } from './scenarios/index.ts';
import type { Bench, Scenario } from './trial-environment.ts';

export interface CampaignOptions {
  readonly trials: number;
  readonly seed: number;
  readonly short: boolean;
  /** Scenarios and mutants whose name contains this. */
  readonly only?: string | undefined;
  /** A server for the store of each trial, instead of files in state folders. */
  readonly postgres?: string | undefined;
  /** A folder for the record of every rig, which `checks/judge/main.ts` judges. */
  readonly records?: string | undefined;
  readonly say: (line: string) => void;
}

export interface CampaignResult {
  readonly tally: Tally;
  readonly mutants: readonly MutantResult[];
}

const workers = 2;

interface Job {
  readonly name: string;
  /** It waits more than it works, so it runs beside the workers without slowing them. */
  readonly waits?: boolean | undefined;
  /** Returns what came of it: the tables follow only when everything has ended. */
  run(site: Site): Promise<string>;
}

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const program = await buildProgram();
  const tally = createTally(options.records);
  const caught: MutantResult[] = [];
  try {
    const jobs = [...scenarioJobs(program, tally, options), ...mutantJobs(program, caught, options)];
    if (jobs.length === 0) throw new Error(`No scenario and no mutant has "${options.only}" in its name.`);
    const [waiting, busy] = [jobs.filter(({ waits }) => waits), jobs.filter(({ waits }) => !waits)];
    const lanes = [...Array.from({ length: workers }, () => busy), ...(waiting.length > 0 ? [waiting] : [])];
    await Promise.all(lanes.map((lane) => work(program, lane, options)));
  } finally {
    await program.remove();
  }
  const order = mutants.map(({ name }) => name);
  const results = caught.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return { tally, mutants: results };
}

/** One upstream for all jobs of a worker: its template is made once, and its record is separated by trial. */
async function work(program: Program, jobs: Job[], { say, postgres }: CampaignOptions): Promise<void> {
  const site = await openSite(program, postgres);
  try {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const startedAt = Date.now();
      const result = await job.run(site);
      say(`${job.name}: ${result}, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  } finally {
    await site.close();
  }
}

const chosen = ({ name }: { name: string }, { only }: CampaignOptions) => only === undefined || name.includes(only);

function scenarioJobs(program: Program, tally: Tally, options: CampaignOptions): Job[] {
  const list: Scenario[] = Object.values<Scenario>(scenarios)
    .filter(({ ofFiles }) => !(ofFiles && options.postgres))
    .filter((scenario) => chosen(scenario, options));
  const weights = list.reduce((sum, { weight }) => sum + weight, 0);
  return list.map((scenario, index) => {
    const line = tally.line(scenario.name);
    const share = Math.max(
      scenario.short,
      scenario.least ?? 0,
      Math.round((options.trials * scenario.weight) / weights),
    );
    const trials = options.short ? scenario.short : Math.min(share, scenario.most ?? share);
    return {
      name: scenario.name,
      waits: scenario.waits,
      run: async (site: Site) => {
        const startedAt = Date.now();
        const random = createRandom(options.seed * 1_000 + index);
        const newSite = (of?: SiteOptions) => openSite(program, options.postgres, of);
        const { short } = options;
        const bench: Bench = { program, site, random, line, trials, short, stopAtViolation: false, newSite };
        await scenario.run(bench).catch((error: unknown) => {
          line.violations.push(`the scenario failed: ${error instanceof Error ? error.stack : String(error)}`);
        });
        line.ms += Date.now() - startedAt;
        for (const violation of line.violations) options.say(`VIOLATION in ${scenario.name}: ${violation}`);
        return `${line.trials} trials, ${line.violations.length} violations`;
      },
    };
  });
}

const mutantJobs = (program: Program, caught: MutantResult[], options: CampaignOptions): Job[] =>
  mutants
    // A mutant with tables of its own is made for the files.
    .filter(() => options.postgres === undefined)
    .filter((mutant) => chosen(mutant, options) || chosen(scenarios[mutant.scenario], options))
    .map((mutant) => ({
      name: `mutant: ${mutant.name}`,
      waits: mutant.waits ?? (scenarios[mutant.scenario] as Scenario).waits,
      run: async (site) => {
        const result = await tryMutant(program, site, mutant, options.seed);
        caught.push(result);
        return result.leftOut ?? (result.caught === undefined ? 'NOT CAUGHT' : 'caught');
      },
    }));

async function tryMutant(original: Program, shared: Site, mutant: Mutant, seed: number): Promise<MutantResult> {
  const scenario: Scenario = scenarios[mutant.scenario];
  const { name, within } = mutant;
  const nothing = { name, scenario: scenario.name, trials: 0, caught: undefined };
  let program: Program;
  try {
    program = await buildMutant(mutant.edits);
  } catch (error) {
    return { ...nothing, error: String(error) };
  }
  const server = mutant.store === 'postgres' ? await startPostgres().catch(String) : undefined;
  if (typeof server === 'string') return program.remove().then(() => ({ ...nothing, leftOut: server }));
  const line = createTally().line(name);
  line.isHasty = true;
  // A mistake in the tables needs a store that was made with it.
  const needsOwnSite = server !== undefined || mutant.edits.some((edit) => edit.in === 'versions');
  const site = needsOwnSite ? await openSite(program, server?.url) : shared;
  try {
    const newSite = (of?: SiteOptions) => openSite(original, server?.url, of);
    const random = createRandom(seed);
    const bench: Bench = { program, site, random, line, trials: within, short: true, stopAtViolation: true, newSite };
    await scenario.run(bench).catch((error: unknown) => line.violations.push(`it could not go on: ${String(error)}`));
    return { name, scenario: scenario.name, trials: line.trials, caught: line.violations[0] };
  } finally {
    site.upstream.retire();
    site.upstream.takeOverlaps();
    if (needsOwnSite) await site.close();
    await server?.stop();
    await program.remove();
  }
}
