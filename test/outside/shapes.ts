/** Texts of about a size, each of one shape that costs a parser much more than ordinary text. */
const filled = (bytes: number, open: string, piece: string, last: string, close: string): string =>
  open +
  piece.repeat(Math.max(0, Math.floor((bytes - open.length - last.length - close.length) / piece.length))) +
  last +
  close;

type Shape = (bytes: number) => string;

export const jsonShapes: Readonly<Record<string, Shape>> = {
  'nothing but depth': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'empty lists': (bytes) => filled(bytes, '[', '[],', '[]', ']'),
  'small objects': (bytes) => filled(bytes, '[', '{"ticker":"A"},', '{}', ']'),
  nulls: (bytes) => filled(bytes, '[', 'null,', 'null', ']'),
  'small numbers': (bytes) => filled(bytes, '[', '1e5,', '1', ']'),
  'many keys': (bytes) => `{${Array.from({ length: bytes / 14 }, (_, n) => `"k${n}":1`).join(',')}}`,
  'one long number': (bytes) => filled(bytes, '[{"ticker":"A","maxOpenQuantity":', '9', '', '}]'),
  'one long text': (bytes) => filled(bytes, '[{"ticker":"A","name":"', 'a', '', '"}]'),
  'one text of escapes': (bytes) => filled(bytes, '[{"ticker":"A","name":"', '\\u0061', '', '"}]'),
  'a text that does not end': (bytes) => filled(bytes, '["', '\\"', '', ''),
};

const header = 'Action,Time,Total,Currency (Total)\n';
export const tableShapes: Readonly<Record<string, Shape>> = {
  'rows of one cell': (bytes) => filled(bytes, header, 'a\n', '', ''),
  'rows that end with CR': (bytes) => filled(bytes, header, 'a\r', '', ''),
  'rows of a quoted line end': (bytes) => filled(bytes, header, '",\n', '', ''),
  'one row of one cell': (bytes) => filled(bytes, header, 'a', '', '\n'),
  'one row of empty cells': (bytes) => filled(bytes, header, ',', '', '\n'),
  'a header of columns': (bytes) => filled(bytes, 'Action,Time', ',a', '', '\n'),
  'an open quote': (bytes) => filled(bytes, `${header}"`, 'a\n', '', ''),
  quotes: (bytes) => filled(bytes, header, '"', '', ''),
  NULs: (bytes) => filled(bytes, header, '\0', '', ''),
  'rows of an unknown action': (bytes) => filled(bytes, header, 'x,2025-01-01 00:00:00,1,GBP\n', '', ''),
  'more rows than are allowed': (bytes) => filled(bytes, header, 'Fee,2025-01-01 00:00:00,1,GBP\n', '', ''),
};
