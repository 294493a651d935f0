/**
 * Real companies and funds that a new user searches for first, with their own names, currencies and ISINs. They exist
 * in every world, and the seeded account never traded them. Their prices are simulated.
 */

import type { Instrument } from './instrument.ts';
import { segmentId } from './venues.ts';

interface Listing {
  readonly suffix: string;
  readonly currency: string;
  readonly exchange: string;
  readonly type?: Instrument['type'];
  /** The price is rounded; the simulated price moves around it. */
  readonly rows: readonly (readonly [symbol: string, name: string, isin: string, price: number])[];
}

// Each ISIN was checked against a published list that shows it beside the name or the ticker. A row without such a list
// is left out, because an invented ISIN could be another company's.
const listings: readonly Listing[] = [
  {
    suffix: '_US_EQ',
    currency: 'USD',
    exchange: 'Palisade Electronic Market',
    rows: [
      ['AAPL', 'Apple', 'US0378331005', 210],
      ['MSFT', 'Microsoft', 'US5949181045', 430],
      ['GOOGL', 'Alphabet (Class A)', 'US02079K3059', 175],
      ['AMZN', 'Amazon', 'US0231351067', 195],
      ['NVDA', 'Nvidia', 'US67066G1040', 130],
      ['META', 'Meta Platforms', 'US30303M1027', 560],
      ['TSLA', 'Tesla', 'US88160R1014', 260],
      ['BRK/B', 'Berkshire Hathaway (Class B)', 'US0846707026', 460],
      ['V', 'Visa', 'US92826C8394', 290],
      ['MA', 'Mastercard', 'US57636Q1040', 500],
      ['JNJ', 'Johnson & Johnson', 'US4781601046', 155],
      ['PG', 'Procter & Gamble', 'US7427181091', 165],
      ['KO', 'Coca-Cola', 'US1912161007', 66],
      ['PEP', 'PepsiCo', 'US7134481081', 150],
      ['MCD', "McDonald's", 'US5801351017', 295],
      ['DIS', 'Walt Disney', 'US2546871060', 105],
      ['NFLX', 'Netflix', 'US64110L1061', 90],
      ['WMT', 'Walmart', 'US9311421039', 88],
      ['COST', 'Costco Wholesale', 'US22160K1051', 900],
      ['HD', 'Home Depot', 'US4370761029', 380],
      ['NKE', 'Nike', 'US6541061031', 72],
      ['SBUX', 'Starbucks', 'US8552441094', 92],
      ['INTC', 'Intel', 'US4581401001', 24],
      ['AMD', 'Advanced Micro Devices', 'US0079031078', 140],
      ['CSCO', 'Cisco Systems', 'US17275R1023', 58],
      ['ORCL', 'Oracle', 'US68389X1054', 160],
      ['CRM', 'Salesforce', 'US79466L3024', 270],
      ['ADBE', 'Adobe', 'US00724F1012', 420],
      ['AVGO', 'Broadcom', 'US11135F1012', 190],
      ['QCOM', 'Qualcomm', 'US7475251036', 155],
      ['IBM', 'IBM', 'US4592001014', 230],
      ['XOM', 'Exxon Mobil', 'US30231G1022', 112],
      ['CVX', 'Chevron', 'US1667641005', 152],
      ['PFE', 'Pfizer', 'US7170811035', 26],
      ['MRK', 'Merck & Co', 'US58933Y1055', 95],
      ['ABBV', 'AbbVie', 'US00287Y1091', 185],
      ['LLY', 'Eli Lilly', 'US5324571083', 800],
      ['UNH', 'UnitedHealth', 'US91324P1021', 480],
      ['T', 'AT&T', 'US00206R1023', 24],
      ['VZ', 'Verizon', 'US92343V1044', 42],
      ['BA', 'Boeing', 'US0970231058', 170],
      ['CAT', 'Caterpillar', 'US1491231015', 360],
      ['MMM', '3M', 'US88579Y1010', 135],
      ['F', 'Ford Motor', 'US3453708600', 11],
      ['GM', 'General Motors', 'US37045V1008', 50],
      ['UBER', 'Uber', 'US90353T1007', 75],
      ['ABNB', 'Airbnb', 'US0090661010', 130],
      ['PYPL', 'PayPal', 'US70450Y1038', 72],
      ['PLTR', 'Palantir', 'US69608A1088', 80],
      ['SPOT', 'Spotify', 'LU1778762911', 520],
      ['SHOP', 'Shopify', 'CA82509L1076', 100],
      ['BABA', 'Alibaba (ADR)', 'US01609W1027', 110],
      ['TSM', 'Taiwan Semiconductor Manufacturing (ADR)', 'US8740391003', 185],
      ['TM', 'Toyota Motor (ADR)', 'US8923313071', 180],
      ['SONY', 'Sony (ADR)', 'US8356993076', 22],
      ['NVO', 'Novo Nordisk (ADR)', 'US6701002056', 85],
    ],
  },
  {
    suffix: 'l_EQ',
    currency: 'GBX',
    exchange: 'Albion Exchange',
    rows: [
      ['AZN', 'AstraZeneca', 'GB0009895292', 11500],
      ['SHEL', 'Shell', 'GB00BP6MXD84', 2600],
      ['BP', 'BP', 'GB0007980591', 410],
      ['GSK', 'GSK', 'GB00BN7SWP63', 1450],
      ['DGE', 'Diageo', 'GB0002374006', 2200],
      ['RIO', 'Rio Tinto', 'GB0007188757', 4900],
      ['BATS', 'British American Tobacco', 'GB0002875804', 3100],
      ['TSCO', 'Tesco', 'GB00BLGZ9862', 370],
      ['VOD', 'Vodafone', 'GB00BH4HKS39', 72],
      ['RR', 'Rolls-Royce', 'GB00B63H8491', 620],
      ['NG', 'National Grid', 'GB00BDR05C01', 980],
      ['BT.A', 'BT', 'GB0030913577', 150],
      ['BA', 'BAE Systems', 'GB0002634946', 1350],
      ['SBRY', 'J Sainsbury', 'GB00B019KW72', 270],
      ['MKS', 'Marks & Spencer', 'GB0031274896', 380],
      ['NXT', 'Next', 'GB0032089863', 9800],
      ['LGEN', 'Legal & General', 'GB0005603997', 235],
      ['AV', 'Aviva', 'GB00BPQY8M80', 500],
      ['EZJ', 'easyJet', 'GB00B7KR2P84', 520],
      ['GLEN', 'Glencore', 'JE00B4T3BW64', 350],
    ],
  },
  {
    suffix: 'd_EQ',
    currency: 'EUR',
    exchange: 'Rhine Exchange',
    rows: [
      ['SAP', 'SAP', 'DE0007164600', 230],
      ['SIE', 'Siemens', 'DE0007236101', 200],
      ['ALV', 'Allianz', 'DE0008404005', 320],
      ['BMW', 'BMW', 'DE0005190003', 80],
      ['MBG', 'Mercedes-Benz', 'DE0007100000', 55],
      ['VOW3', 'Volkswagen (Preference)', 'DE0007664039', 95],
      ['BAS', 'BASF', 'DE000BASF111', 46],
      ['BAYN', 'Bayer', 'DE000BAY0017', 24],
      ['DTE', 'Deutsche Telekom', 'DE0005557508', 31],
      ['ADS', 'Adidas', 'DE000A1EWWW0', 230],
    ],
  },
  {
    suffix: 'p_EQ',
    currency: 'EUR',
    exchange: 'Lutetia Bourse',
    rows: [
      ['MC', 'LVMH', 'FR0000121014', 620],
      ['OR', "L'Oréal", 'FR0000120321', 370],
      ['RMS', 'Hermès', 'FR0000052292', 2300],
      ['AIR', 'Airbus', 'NL0000235190', 155],
      ['SAN', 'Sanofi', 'FR0000120578', 92],
    ],
  },
  {
    suffix: 'a_EQ',
    currency: 'EUR',
    exchange: 'Polder Exchange',
    rows: [
      ['ASML', 'ASML', 'NL0010273215', 680],
      ['HEIA', 'Heineken', 'NL0000009165', 75],
    ],
  },
  {
    suffix: 'b_EQ',
    currency: 'EUR',
    exchange: 'Schelde Bourse',
    rows: [['ABI', 'Anheuser-Busch InBev', 'BE0974293251', 55]],
  },
  {
    suffix: 'e_EQ',
    currency: 'EUR',
    exchange: 'Meseta Exchange',
    rows: [['ITX', 'Inditex', 'ES0148396007', 50]],
  },
  {
    suffix: 's_EQ',
    currency: 'CHF',
    exchange: 'Limmat Exchange',
    rows: [
      ['NESN', 'Nestlé', 'CH0038863350', 85],
      ['ROP', 'Roche (Participation Certificate)', 'CH1499059983', 270],
      ['NOVN', 'Novartis', 'CH0012005267', 95],
    ],
  },
  {
    suffix: 'k_EQ',
    currency: 'SEK',
    exchange: 'Maelar Exchange',
    rows: [
      ['VOLV.B', 'Volvo (Class B)', 'SE0000115446', 270],
      ['ERIC.B', 'Ericsson (Class B)', 'SE0000108656', 85],
      ['HM.B', 'H&M (Class B)', 'SE0000106270', 150],
    ],
  },
  {
    suffix: '_CA_EQ',
    currency: 'CAD',
    exchange: 'Rideau Exchange',
    rows: [['SHOP', 'Shopify', 'CA82509L1076', 140]],
  },
  {
    suffix: '_HK_EQ',
    currency: 'HKD',
    exchange: 'Victoria Harbour Exchange',
    rows: [['700', 'Tencent', 'KYG875721634', 420]],
  },
  {
    suffix: '_JP_EQ',
    currency: 'JPY',
    exchange: 'Musashi Exchange',
    rows: [
      ['7203', 'Toyota Motor', 'JP3633400001', 2700],
      ['6758', 'Sony', 'JP3435000009', 3200],
      ['7974', 'Nintendo', 'JP3756600007', 8500],
    ],
  },
  {
    suffix: '_US_EQ',
    currency: 'USD',
    exchange: 'Palisade Electronic Market',
    type: 'ETF',
    rows: [
      ['VOO', 'Vanguard S&P 500 ETF', 'US9229083632', 540],
      ['VTI', 'Vanguard Total Stock Market ETF', 'US9229087690', 290],
      ['SPY', 'State Street SPDR S&P 500 ETF', 'US78462F1030', 590],
      ['QQQ', 'Invesco QQQ', 'US46090E1038', 510],
    ],
  },
  {
    suffix: 'l_EQ',
    currency: 'GBX',
    exchange: 'Albion Exchange',
    type: 'ETF',
    rows: [
      ['ISF', 'iShares Core FTSE 100 (Dist)', 'IE0005042456', 810],
      ['SWDA', 'iShares Core MSCI World (Acc)', 'IE00B4L5Y983', 8300],
      ['CSP1', 'iShares Core S&P 500 (Acc)', 'IE00B5BMR087', 47000],
      ['EMIM', 'iShares Core MSCI Emerging Markets IMI (Acc)', 'IE00BKM4GZ66', 2800],
      ['EQQQ', 'Invesco EQQQ Nasdaq-100 (Dist)', 'IE0032077012', 40000],
      ['INRG', 'iShares Global Clean Energy Transition (Dist)', 'IE00B1XNHC34', 550],
      ['SGLN', 'iShares Physical Gold ETC', 'IE00B4ND3602', 4100],
    ],
  },
  {
    suffix: 'l_EQ',
    currency: 'GBP',
    exchange: 'Albion Exchange',
    type: 'ETF',
    rows: [
      ['VWRP', 'Vanguard FTSE All-World (Acc)', 'IE00BK5BQT80', 105],
      ['VWRL', 'Vanguard FTSE All-World (Dist)', 'IE00B3RBWM25', 108],
      ['VUSA', 'Vanguard S&P 500 (Dist)', 'IE00B3XXRP09', 85],
      ['VUAG', 'Vanguard S&P 500 (Acc)', 'IE00BFMXXD54', 88],
      ['VHYL', 'Vanguard FTSE All-World High Dividend Yield (Dist)', 'IE00B8GKDB10', 54],
      ['VFEM', 'Vanguard FTSE Emerging Markets (Dist)', 'IE00B3VVMM84', 48],
      ['VMID', 'Vanguard FTSE 250 (Dist)', 'IE00BKX55Q28', 31],
      ['VUKE', 'Vanguard FTSE 100 (Dist)', 'IE00B810Q511', 36],
      ['IGLT', 'iShares Core UK Gilts (Dist)', 'IE00B1FZSB30', 10],
    ],
  },
];

const addedOn = new Date(Date.UTC(2018, 4, 14, 7)).toISOString();

export const wellKnown: readonly Instrument[] = listings.flatMap(({ suffix, currency, exchange, type, rows }) =>
  rows.map(([symbol, name, isin, basePrice]) => ({
    ticker: symbol + suffix,
    type: type ?? 'STOCK',
    name,
    shortName: symbol,
    isin,
    currency,
    addedOn,
    extendedHours: suffix === '_US_EQ',
    maxOpenQuantity: 25_000,
    scheduleId: segmentId(exchange),
    basePrice,
    precision: 4,
    trading: 'open' as const,
  })),
);
