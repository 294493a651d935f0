import * as z from 'zod';
import { type Endpoint, endpoints } from '../../src/core/endpoints/index.ts';
import type { LoggedRequest } from '../../src/simulator/index.ts';

const pageQuery = z.strictObject({
  limit: z.string().regex(/^([1-9]|[1-4]\d|50)$/),
  cursor: z
    .string()
    .regex(/^(\d{1,19}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/)
    .optional(),
  time: z.iso.datetime({ offset: true }).optional(),
});

/** Only what the specification has: JSON's own numbers, and no field or value beyond its tables. */
const order = { ticker: z.string().min(1), quantity: z.number() };
const timeValidity = z.enum(['DAY', 'GOOD_TILL_CANCEL']);
const pie = z.strictObject({
  name: z.string(),
  icon: z.string().optional(),
  goal: z.number().optional(),
  endDate: z.iso.datetime({ offset: true }).optional(),
  dividendCashAction: z.enum(['REINVEST', 'TO_ACCOUNT_CASH']).optional(),
  instrumentShares: z.record(z.string(), z.number()),
});
const bodies: Readonly<Record<string, z.ZodType>> = {
  placeLimitOrder: z.strictObject({ ...order, limitPrice: z.number(), timeValidity }),
  placeMarketOrder: z.strictObject({ ...order, extendedHours: z.boolean() }),
  placeStopOrder: z.strictObject({ ...order, stopPrice: z.number(), timeValidity }),
  placeStopLimitOrder: z.strictObject({ ...order, stopPrice: z.number(), limitPrice: z.number(), timeValidity }),
  requestReport: z.strictObject({
    timeFrom: z.iso.datetime({ offset: true }),
    timeTo: z.iso.datetime({ offset: true }),
    dataIncluded: z.strictObject({
      includeDividends: z.boolean(),
      includeInterest: z.boolean(),
      includeOrders: z.boolean(),
      includeTransactions: z.boolean(),
    }),
  }),
  createPie: pie,
  updatePie: pie,
  duplicatePie: z.strictObject({ name: z.string().optional(), icon: z.string().optional() }),
};

/** Throws when a request of the program deviates from the specification in its path, query or body. */
export function checkRequest({ endpoint, method, path, body }: LoggedRequest): void {
  // The file of a report is on another host.
  if (path.startsWith('/report-files/')) return;
  if (endpoint === undefined) throw new Error(`${method} ${path} is no endpoint`);
  const { path: template, query } = endpoints[endpoint] as Endpoint;
  const url = new URL(path, 'http://127.0.0.1');
  const expected = new RegExp(`^/api/v0${template.replace('{id}', '\\d{1,19}')}$`);
  if (!expected.test(url.pathname)) throw new Error(`${path} is not ${template}`);
  if (query?.includes('cursor')) pageQuery.parse(Object.fromEntries(url.searchParams));
  else z.strictObject({}).parse(Object.fromEntries(url.searchParams));
  const schema = bodies[endpoint];
  if ((schema === undefined) !== (body === '')) throw new Error(`${endpoint} has the body ${body}`);
  schema?.parse(JSON.parse(body));
}
