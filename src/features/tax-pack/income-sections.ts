/** The tables of dividends, interest and costs. */
import Big from 'big.js';
import { type Columns, toTable } from '../../core/mcp/pagination.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import { groupBy } from '../../core/text/group-by.ts';
import type { CashFlow } from '../analytics/cash-flows.ts';
import type { Charge } from '../analytics/costs.ts';
import { type DividendGroup, getCountry } from '../analytics/dividend-groups.ts';
import { getTreatment, isCapitalPayment, type Payment } from '../analytics/dividend-payments.ts';
import { computeDividendTax, findUnknownTaxes } from '../analytics/dividend-tax.ts';
import { summarizeDividends } from '../analytics/dividends.ts';
import { computeSum, sumIfComplete, toBig } from '../analytics/sums.ts';
import { computeTotals, type PackSection, type PaidSum, type ToDay } from './pack-section.ts';

const grossNote =
  'gross is the quantity times the gross amount per share; withheld is the tax that the payment is short of it. In the currency of the payment both are empty where the row has no rate: then only grossInInstrumentCurrency is known.';

/** One row per country, treatment and currency, and one row per payment. `payments` are those of the year. */
export function buildDividendSections(
  payments: readonly Payment[],
  accountCurrency: string | undefined,
  toDay: ToDay,
  now: number,
): PackSection[] {
  const taxed = payments.map((payment) => ({ payment, tax: computeDividendTax(payment.row, payment.currency), toDay }));
  const totals = computeTotals(
    taxed,
    ({ payment }) => payment.currency,
    {
      gross: ({ tax }) => tax.ownGross,
      withheld: ({ tax }) => tax.ownWithheld,
      paid: ({ payment: { amount } }) => toBig(amount),
    },
    formatMoney,
  ).map((total) => ({ ...total, sums: { ...total.sums, withheldUnknown: countUnknown(payments, total.currency) } }));
  const byCountry = [...groupBy(payments, ({ row }) => getCountry(row))].sort(([a], [b]) => (a < b ? -1 : 1));
  const groups = byCountry.flatMap(([country, members]) =>
    summarizeDividends(
      members.map(({ row, currency }) => ({ ...row, currency })),
      { groupBy: 'treatment', now, currency: members[0]?.currency },
    ).groups.map((group) => ({ ...group, country })),
  );
  return [
    {
      name: 'dividends-by-country',
      title: 'Dividends by country and treatment',
      note: `${grossNote} The country is that of the ISIN. Return of capital, liquidation and demerger are no income.`,
      figures: sumByName(
        payments.flatMap(({ amount, type, currency }) =>
          amount === undefined || isCapitalPayment(type)
            ? []
            : [{ name: 'Dividends paid', amount: new Big(amount), currency }],
        ),
        accountCurrency,
      ),
      totals,
      paidSums: sumPaid(payments),
      ...toTable(groups, groupColumns),
    },
    {
      name: 'dividends',
      title: 'Dividends',
      note: grossNote,
      totals,
      ...toTable(taxed, paymentColumns),
    },
  ];
}

/** How many payments in a currency have an unknown tax. */
const countUnknown = (payments: readonly Payment[], currency: string | undefined): string =>
  String(findUnknownTaxes(payments.filter((payment) => payment.currency === currency)).all.length);

function sumPaid(payments: readonly Payment[]): PaidSum[] {
  const all = payments.map(({ row, type, currency, amount }) => {
    const country = getCountry(row);
    const isUk = country === 'unknown' ? undefined : country === 'GB';
    return { isUk, treatment: getTreatment(type), currency, amount };
  });
  const members = groupBy(all, ({ isUk, treatment, currency }) => `${isUk} ${treatment} ${currency}`);
  return [...members.values()].flatMap((own) =>
    own.slice(0, 1).map(({ amount: _, ...sum }) => ({
      ...sum,
      paid: formatMoney(sumIfComplete(own.map(({ amount }) => toBig(amount)))),
    })),
  );
}

const groupColumns: Columns<DividendGroup & { readonly country: string }> = {
  country: ({ country }) => country,
  treatment: ({ group }) => group,
  currency: ({ currency }) => currency,
  payments: ({ count }) => count,
  gross: ({ tax }) => formatMoney(tax?.gross),
  withheld: ({ tax }) => formatMoney(tax?.withheld),
  paid: ({ amount }) => formatMoney(amount),
  withheldUnknown: ({ tax }) => tax?.unknown,
  grossInInstrumentCurrency: ({ tax }) =>
    [...(tax?.grossByCurrency ?? [])].map(([currency, gross]) => `${formatMoney(gross)} ${currency}`).join(', '),
};

interface PaymentRow {
  readonly payment: Payment;
  readonly tax: ReturnType<typeof computeDividendTax>;
  readonly toDay: ToDay;
}

const paymentColumns: Columns<PaymentRow> = {
  paidOn: ({ payment: { at }, toDay }) => (at === undefined ? undefined : toDay(at)),
  ticker: ({ payment }) => payment.ticker,
  name: ({ payment }) => payment.row.instrument?.name,
  isin: ({ payment }) => payment.row.instrument?.isin,
  country: ({ payment }) => getCountry(payment.row),
  type: ({ payment }) => payment.type,
  treatment: ({ payment }) => getTreatment(payment.type),
  quantity: ({ payment }) => payment.quantity,
  grossAmountPerShare: ({ payment }) => payment.row.grossAmountPerShare,
  instrumentCurrency: ({ payment }) => payment.row.tickerCurrency ?? payment.row.instrument?.currency,
  gross: ({ tax }) => formatMoney(tax.ownGross),
  withheld: ({ tax }) => formatMoney(tax.ownWithheld),
  paid: ({ payment }) => payment.amount && formatMoney(new Big(payment.amount)),
  currency: ({ payment }) => payment.currency,
  grossInInstrumentCurrency: ({ tax: { gross } }) => gross && `${formatMoney(gross.amount)} ${gross.currency}`,
};

const roundedRows = 'Each row is rounded to two decimals; totals are sums of the exact amounts.';

/** The total of each name and currency, in the order of the names. */
function sumByName(
  rows: readonly { readonly name: string; readonly amount: Big; readonly currency: string | undefined }[],
  accountCurrency: string | undefined,
): (readonly [string, string])[] {
  const members = groupBy(rows, ({ name, currency }) => `${name} ${currency ?? accountCurrency ?? ''}`.trim());
  return [...members]
    .map(([name, group]) => [name, formatMoney(computeSum(group.map(({ amount }) => amount)))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const sumAmounts = (
  rows: readonly { readonly amount: Big; readonly currency: string | undefined }[],
  accountCurrency: string | undefined,
) =>
  computeTotals(rows, ({ currency }) => currency ?? accountCurrency, { amount: ({ amount }) => amount }, formatMoney);

/** One row per booking of interest. */
export const buildInterestSection = (
  flows: readonly CashFlow[],
  accountCurrency: string | undefined,
  toDay: ToDay,
): PackSection => ({
  name: 'interest',
  title: 'Interest',
  note: `Interest on cash and on lent shares, as paid. ${roundedRows}`,
  figures: sumByName(
    flows.map((flow) => ({ ...flow, name: flow.type })),
    accountCurrency,
  ),
  totals: sumAmounts(flows, accountCurrency),
  ...toTable(flows, {
    paidOn: ({ at }) => toDay(at),
    type: ({ type }) => type,
    amount: ({ amount }) => formatMoney(amount),
    currency: ({ currency }) => currency ?? accountCurrency,
  }),
});

/** One row per charge; an amount below zero is a refund. */
export const buildCostSection = (
  charges: readonly Charge[],
  accountCurrency: string | undefined,
  toDay: ToDay,
): PackSection => ({
  name: 'costs',
  title: 'Costs',
  note: `Charges of trades are already part of the gains; fees of the account are not. ${roundedRows}`,
  figures: sumByName(charges, accountCurrency),
  totals: sumAmounts(charges, accountCurrency),
  ...toTable(
    charges.toSorted((a, b) => a.at - b.at),
    {
      chargedOn: ({ at }) => toDay(at),
      ticker: ({ ticker }) => ticker,
      name: ({ name }) => name,
      amount: ({ amount }) => formatMoney(amount),
      currency: ({ currency }) => currency ?? accountCurrency,
    },
  ),
});
