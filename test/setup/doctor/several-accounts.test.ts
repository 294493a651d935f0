/** The doctor with several accounts: it checks each, and names the one that a finding is about. */
// @module-tag server
import { expect, test } from 'vitest';
import { checks } from '../../../src/setup/doctor/check-list.ts';
import { type DoctorContext, ofEachAccount, ok } from '../../../src/setup/doctor/context.ts';
import { names, serveTwoAccounts } from '../../support/two-account-service.ts';
import { examine, machine } from './support.ts';

const wanted = checks.filter(({ name }) => ['configuration', 'request', 'clock', 'approval', 'trading'].includes(name));

async function ofTwo() {
  const here = machine();
  const { env, truth, simulator } = await serveTwoAccounts();
  Object.assign(here.env, { ...env, HOME: here.home, BROKER_STATE_DIR: here.stateDir, BROKER_CONFIG_DIR: here.home });
  const run = async () => (await examine(here, wanted)).map(({ check, level, says }) => ({ check, level, says }));
  return { here, truth, simulator, run };
}

test('The request of each account is made and named, and what is the same for all is said once', async () => {
  const { run, truth, simulator } = await ofTwo();
  const lines = await run();
  const requests = lines.filter(({ check }) => check === 'request');
  for (const name of names) {
    const [own] = requests.filter(({ says }) => says.startsWith(`${name}: The summary`));
    expect(own?.level).toBe('ok');
    expect(own?.says).toContain(`account …${truth[name]().accountId.slice(-4)} in GBP`);
  }
  expect(lines.filter(({ check }) => check === 'approval')).toHaveLength(1);
  expect(lines.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(simulator.log.map(({ endpoint, account }) => [endpoint, account]).toSorted()).toEqual([
    ['getAccountSummary', 'isa'],
    ['getAccountSummary', 'main'],
  ]);
});

test('What two requests found alike is said of each account, and what two settings say alike is said once', async () => {
  const context = { accounts: names.map((name) => ({ name, context: {} })) } as unknown as DoctorContext;
  const says = async (isOfOneRequest: boolean) => {
    const check = ofEachAccount(async () => [ok('The same.')], { isOfOneRequest });
    return (await check(context, new AbortController().signal)).map((finding) => finding.says);
  };
  expect(await says(true)).toEqual(names.map((name) => `${name}: The same.`));
  expect(await says(false)).toEqual(['The same.']);
});

test.each(names)('A key of %s that does not work is a fault of this account alone', async (name) => {
  const { here, run } = await ofTwo();
  here.env[`BROKER_API_SECRET_${name.toUpperCase()}`] = 'wrong';
  const faults = (await run()).filter(({ level }) => level === 'fault');
  expect(faults.map(({ check, says }) => [check, says.split(':')[0]])).toEqual([['request', name]]);
});

test('An account without a key is named with its variables', async () => {
  const { here } = await ofTwo();
  delete here.env.BROKER_API_KEY_ISA;
  delete here.env.BROKER_API_SECRET_ISA;
  const faults = (await examine(here, wanted)).filter(({ level }) => level === 'fault');
  expect(faults).toEqual([
    {
      ...{ check: 'configuration', level: 'fault' },
      says: 'isa: The demo environment has no key: tools are listed, but every call fails.',
      fix: 'Set BROKER_API_KEY_FILE_ISA, BROKER_API_SECRET_FILE_ISA (if the key has a secret).',
    },
  ]);
});

test('With --account one of them is checked, without its name', async () => {
  const { here, run, simulator } = await ofTwo();
  here.flags.account = 'isa';
  const requests = (await run()).filter(({ check }) => check === 'request');
  expect(requests.every(({ says }) => says.startsWith('The summary') || says.startsWith('Its limit'))).toBe(true);
  expect(simulator.log.map(({ account }) => account)).toEqual(['isa']);
});
