/** The faults of the script of a page, which runs in a browser: the page reports them to its server, and the log keeps them. */
import type { IncomingMessage } from 'node:http';
import { log } from '../../log.ts';
import { readFields } from './form.ts';
import { type PageResponse, plainReply } from './page-reply.ts';

/** Takes the report of a page. */
export type ScriptFaults = (request: IncomingMessage) => Promise<PageResponse>;

/** A script has few places that can throw, and a page reports each once. What is more has another source. */
const maxReports = 10;

/** Creates the receiver of one server. A report is class and place only: the message stays in the browser. */
export function createScriptFaults(): ScriptFaults {
  let reports = 0;
  return async (request) => {
    const field = await readFields(request);
    if (!field) return plainReply(413, 'The report is too large', 'Reports of the page are much smaller.');
    reports += 1;
    if (reports > maxReports) return plainReply(429, 'Too many reports', 'The log has the first ones.');
    log.fault('the script of a page', readFault(field));
    return { status: 204 };
  };
}

/** Builds the error that the log expects. Text of another form is not kept. */
function readFault(field: (name: string) => string): Error {
  const match = (name: string, form: RegExp) => form.exec(field(name))?.[0];
  const code = match('code', /^[A-Za-z]{1,40}$/) ?? 'unknown';
  const name = match('name', /^[\w.]{1,60}$/) ?? 'script';
  const place = match('place', /^\d{1,5}:\d{1,5}$/) ?? '?';
  const stack = `${code}\n    at ${name} (page-script.js:${place}, from src/core/approval/page/page-script.ts)`;
  return Object.assign(new Error('The script of the page threw.'), { code, stack });
}
