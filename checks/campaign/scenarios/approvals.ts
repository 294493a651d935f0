/** I3: a person approves, rejects or does nothing, in a form or on the page; the decision is what happens. */
import { enrol } from '../approver.ts';
import { openRig, type Rig } from '../harness.ts';
import { anyOrder } from '../orders.ts';
import { answerPage } from '../page-client.ts';
import { finishTrial, pause } from '../scenario-run.ts';
import type { FormAnswer, ServerProcess } from '../server-process.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import type { Fault } from '../upstream.ts';

const trialsPerRig = 24;
const failure: Fault = { name: '503, booked', books: true, play: (scene) => scene.answer({ status: 503 }) };
const rejection: Fault = { name: '400', books: false, play: (scene) => scene.answer({ status: 400 }) };

interface Form {
  readonly name: string;
  readonly answer: (quantity: string) => ReturnType<FormAnswer>;
  readonly faults?: readonly Fault[];
  readonly expected: readonly string[];
}

const yes = (quantity: string) => ({ action: 'accept' as const, content: { confirmQuantity: quantity } });
const accept = (content: object) => () => ({ action: 'accept' as const, content });

const forms: readonly Form[] = [
  { name: 'the right quantity', answer: yes, expected: ['placed'] },
  { name: 'another quantity', answer: (quantity) => yes(`${quantity}1`), expected: ['pending_approval'] },
  { name: 'declined', answer: () => ({ action: 'decline' }), expected: ['declined'] },
  { name: 'nothing filled in', answer: accept({}), expected: ['pending_approval'] },
  { name: 'the right quantity, then 503', answer: yes, faults: [failure], expected: ['unknown'] },
  { name: 'closed', answer: () => ({ action: 'cancel' }), expected: ['pending_approval'] },
  { name: 'the right quantity, then 400', answer: yes, faults: [rejection], expected: ['rejected'] },
  { name: 'a yes of its own', answer: accept({ approved: true, confirm: 'yes' }), expected: ['pending_approval'] },
  { name: 'the same with zeros', answer: (quantity) => yes(`00${quantity}00`), expected: ['placed'] },
];

async function formTrial(bench: Bench, rig: Rig, form: Form, server: ServerProcess, observer: ServerProcess, say: Say) {
  const { site, random } = bench;
  const order = anyOrder(random, site.newQuantity());
  const { quantity } = order;
  if (form.faults) site.upstream.plan(quantity, ...form.faults);
  say.answer = () => form.answer(quantity);
  const said = await server.call(order.tool, order.args).said;
  const { expected } = form;
  await finishTrial(rig, { quantity, said: [said], observer, expected, name: `form: ${form.name}` });
}

interface Say {
  answer: FormAnswer;
}

async function runForms(bench: Bench): Promise<void> {
  for (let next = bench.short ? 0 : bench.random.below(forms.length); !isDone(bench); ) {
    const rig = await openRig(bench.program, bench.site, bench.line, { approval: 'elicitation' });
    try {
      const say: Say = { answer: () => ({ action: 'cancel' }) };
      const server = await rig.server({ form: (message) => say.answer(message) });
      const observer = await rig.server();
      for (let trial = 0; trial < trialsPerRig && !isDone(bench); trial++, next++)
        await formTrial(bench, rig, forms[next % forms.length] as Form, server, observer, say);
    } finally {
      await rig.dispose();
    }
  }
}

type Visit = 'right' | 'wrong, then rejected' | 'rejected' | 'right twice at once' | 'right, then 503';
const visits: readonly Visit[] = [
  'right',
  'wrong, then rejected',
  'right twice at once',
  'rejected',
  'right, then 503',
];
/** After a wrong passphrase no attempt is accepted for two seconds. */
const afterWrongMs = 2_100;

async function visit(rig: Rig, address: string, how: Visit): Promise<void> {
  const { secrets } = rig.site;
  const answer = async (action: 'approve' | 'reject', passphrase?: string) => {
    const { leaks } = await answerPage(rig, address, passphrase === undefined ? { action } : { action, passphrase });
    for (const leak of leaks) rig.line.violations.push(`secret: ${leak}`);
  };
  if (how === 'rejected') return answer('reject');
  if (how === 'wrong, then rejected') {
    await answer('approve', 'certainly not the passphrase');
    return answer('reject');
  }
  const times = how === 'right twice at once' ? 2 : 1;
  await Promise.all(Array.from({ length: times }, () => answer('approve', secrets.passphrase)));
}

async function runPages(bench: Bench): Promise<void> {
  const { site, random } = bench;
  for (let next = bench.short ? 0 : random.below(visits.length); !isDone(bench); ) {
    // A browser that cannot be started: the call waits for a person who has a window.
    const env = { DISPLAY: ':0', PATH: '/no-browser' };
    const rig = await openRig(bench.program, site, bench.line, { approval: 'page', env });
    try {
      await enrol(rig, 'page');
      let tell = (_: string): void => undefined;
      const onProgress = (message: string) => tell(/http:\/\/\S+/.exec(message)?.[0] ?? '');
      const server = await rig.server({ onProgress });
      const observer = await rig.server();
      for (let trial = 0; trial < trialsPerRig && !isDone(bench); trial++, next++) {
        const how = visits[next % visits.length] as Visit;
        const order = anyOrder(random, site.newQuantity());
        const { quantity } = order;
        const isYes = how.startsWith('right');
        if (how === 'right, then 503') site.upstream.plan(quantity, failure);
        const address = new Promise<string>((resolve) => {
          tell = (found) => found && resolve(found);
        });
        const call = server.call(order.tool, order.args);
        const shown = await Promise.race([address, pause(8_000).then(() => undefined)]);
        if (shown) await visit(rig, shown, how);
        else rig.line.violations.push('no page was shown');
        const said = await call.said;
        const expected = [how === 'right, then 503' ? 'unknown' : isYes ? 'placed' : 'declined'];
        await finishTrial(rig, { quantity, said: [said], observer, expected, name: `page: ${how}` });
        if (how === 'wrong, then rejected') await pause(afterWrongMs);
      }
    } finally {
      await rig.dispose();
    }
  }
}

export const approvalForms: Scenario = { name: 'approval by a form', weight: 90, short: 8, run: runForms };
export const approvalPages: Scenario = { name: 'approval on the page', weight: 60, short: 3, run: runPages };
