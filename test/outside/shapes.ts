/** Texts of about a size, each of one shape that costs a parser much more than ordinary text, or that confuses it. */
import { gzipSync } from 'node:zlib';

const filled = (bytes: number, open: string, piece: string, last: string, close: string): string =>
  open +
  piece.repeat(Math.max(0, Math.floor((bytes - open.length - last.length - close.length) / piece.length))) +
  last +
  close;

export type Shape = (bytes: number) => string | Buffer;
export type Shapes = Readonly<Record<string, Shape>>;

/** Bytes that are no UTF-8 text, between a beginning and an end. */
const invalidBytes = (bytes: number, open: string, close: string): Buffer =>
  Buffer.concat([
    Buffer.from(open),
    Buffer.alloc(Math.max(0, bytes - open.length - close.length), 0xff),
    Buffer.from(close),
  ]);

const depth = (bytes: number): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);

export const jsonShapes = {
  'nothing but depth': depth,
  'objects in objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'brackets that stay open': (bytes) => '['.repeat(bytes),
  'empty lists': (bytes) => filled(bytes, '[', '[],', '[]', ']'),
  'empty objects': (bytes) => filled(bytes, '[', '{},', '{}', ']'),
  'small objects': (bytes) => filled(bytes, '[', '{"ticker":"A"},', '{}', ']'),
  nulls: (bytes) => filled(bytes, '[', 'null,', 'null', ']'),
  'small numbers': (bytes) => filled(bytes, '[', '1e5,', '1', ']'),
  'many keys': (bytes) => `{${Array.from({ length: bytes / 14 }, (_, n) => `"k${n}":1`).join(',')}}`,
  'one key, many times': (bytes) => filled(bytes, '{', '"ticker":1,', '"ticker":1', '}'),
  'one long key': (bytes) => filled(bytes, '{"', 'a', '', '":1}'),
  'one long number': (bytes) => filled(bytes, '[{"ticker":"A","maxOpenQuantity":', '9', '', '}]'),
  'one long text': (bytes) => filled(bytes, '[{"ticker":"A","name":"', 'a', '', '"}]'),
  'one text of escapes': (bytes) => filled(bytes, '[{"ticker":"A","name":"', '\\u0061', '', '"}]'),
  'a text that does not end': (bytes) => filled(bytes, '["', '\\"', '', ''),
  NULs: (bytes) => '\0'.repeat(bytes),
  'invalid UTF-8': (bytes) => invalidBytes(bytes, '[{"ticker":"A","name":"', '"}]'),
  'a byte order mark': (bytes) => filled(bytes, '\ufeff[{"ticker":"A","name":"', 'a', '', '"}]'),
  blanks: (bytes) => filled(bytes, '', ' \r\n', '', '[]'),
  nothing: () => '',
} as const satisfies Shapes;

const header = 'Action,Time,Total,Currency (Total)\n';
const deposit = 'Deposit,2025-01-01 00:00:00,1,GBP\n';

export const tableShapes = {
  'rows of one cell': (bytes) => filled(bytes, header, 'a\n', '', ''),
  'rows that end with CR': (bytes) => filled(bytes, header, 'a\r', '', ''),
  'rows of a quoted line end': (bytes) => filled(bytes, header, '",\n', '', ''),
  'one row of one cell': (bytes) => filled(bytes, header, 'a', '', '\n'),
  'one row of empty cells': (bytes) => filled(bytes, header, ',', '', '\n'),
  'one quoted cell': (bytes) => filled(bytes, `${header}"`, 'a', '', '",2025-01-01 00:00:00,1,GBP\n'),
  'one long number': (bytes) => filled(bytes, `${header}Deposit,2025-01-01 00:00:00,`, '9', '', ',GBP\n'),
  'a header of columns': (bytes) => filled(bytes, 'Action,Time', ',a', '', '\n'),
  'a header of one name, many times': (bytes) => filled(bytes, header.trim(), ',Total', '', `\n${deposit}`),
  'an open quote': (bytes) => filled(bytes, `${header}"`, 'a\n', '', ''),
  quotes: (bytes) => filled(bytes, header, '"', '', ''),
  NULs: (bytes) => filled(bytes, header, '\0', '', ''),
  'rows of an unknown action': (bytes) => filled(bytes, header, 'x,2025-01-01 00:00:00,1,GBP\n', '', ''),
  'invalid UTF-8': (bytes) => invalidBytes(bytes, header, `\n${deposit}`),
  'more rows than are allowed': (bytes) => filled(bytes, header, 'Fee,2025-01-01 00:00:00,1,GBP\n', '', ''),
  'line ends of every kind': (bytes) => filled(bytes, header + deposit, '\r\n\n\r', '', ''),
  'a byte order mark and nothing': () => `\ufeff${header}`,
  nothing: () => '',
} as const satisfies Shapes;

/** A table of a busy account: rows of two hundred bytes, with every kind of line end. */
export const ordinaryTable: Shape = (bytes) => {
  const name = `"Some ""company"" of the world, ${'x'.repeat(100)}"`;
  const columns = 'Action,Time,Name,Notes,Total,Currency (Total)\n';
  return filled(bytes, columns, `Deposit,2025-01-01 00:00:00,${name},${'y'.repeat(60)},1.50,GBP\r\n`, '', '');
};

/** Compressed bodies, of the size of what they become. */
export const gzipShapes = {
  'a bomb': (bytes) => gzipSync(Buffer.alloc(bytes, 'a')),
  'a bomb of short rows': (bytes) => gzipSync(filled(bytes, header, 'a\n', '', '')),
  'a body that is cut off': (bytes) => {
    const whole = gzipSync(Buffer.from(ordinaryTable(bytes)));
    return whole.subarray(0, whole.length / 2);
  },
  'a body that is not compressed': (bytes) => ordinaryTable(bytes),
  nothing: () => '',
} as const satisfies Shapes;

/** One value, as a number, a date or an address is. */
export const valueShapes = {
  digits: (bytes) => '9'.repeat(bytes),
  zeros: (bytes) => `1${'0'.repeat(bytes - 1)}`,
  decimals: (bytes) => `0.${'1'.repeat(bytes - 2)}`,
  'a long exponent': (bytes) => `1e${'9'.repeat(bytes - 2)}`,
  'groups of digits': (bytes) => `1${',000'.repeat(bytes / 4)}.5`,
  signs: (bytes) => '-'.repeat(bytes),
  'a long date': (bytes) => `2025-01-01T00:00:00.${'0'.repeat(bytes)}Z`,
  blanks: (bytes) => ' '.repeat(bytes),
  NULs: (bytes) => '\0'.repeat(bytes),
  letters: (bytes) => 'a'.repeat(bytes),
  slashes: (bytes) => '/'.repeat(bytes),
  'parts of a query': (bytes) => `?${'cursor=1&'.repeat(bytes / 9)}`,
  'parts of a path': (bytes) => `/${'../'.repeat(bytes / 3)}`,
  escapes: (bytes) => '%41'.repeat(bytes / 3),
} as const satisfies Shapes;
