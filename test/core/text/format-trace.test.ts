import { expect, test } from 'vitest';
import { formatTrace } from '../../../src/core/log.ts';

const built = `/* banner */
// src/core/errors.ts
one
// node_modules/zod/v4/core/parse.js
two
  // src/indented.ts is no section
three
`;

const traceWith = (stack: string) => {
  const fault = new Error('x');
  fault.stack = stack;
  return formatTrace(fault, (path) => (path === '/app/dist/main.cjs' ? built : undefined));
};

test('each place in a file of the build is shown with its source', () => {
  const stack = ['Error: x', '    at one (/app/dist/main.cjs:3:7)', '    at /app/dist/main.cjs:7:1'].join('\n');
  expect(traceWith(stack)).toBe(
    [
      'Error: x',
      '    at one (/app/dist/main.cjs:3:7, from src/core/errors.ts)',
      '    at /app/dist/main.cjs:7:1, from node_modules/zod/v4/core/parse.js',
    ].join('\n'),
  );
});

test('addresses are treated like paths, and a place outside the build stays unchanged', () => {
  expect(traceWith('Error: x\n    at one (file:///app/dist/main.cjs:3:7)')).toContain('3:7, from src/core/errors.ts)');
  for (const frame of [
    '    at two (/app/other.cjs:3:7)',
    '    at read (node:fs:1:2)',
    '    at top (/app/dist/main.cjs:1:1)',
  ])
    expect(traceWith(`Error: x\n${frame}`)).toBe(`Error: x\n${frame}`);
});

test('a value that is not an error is shown as text', () => {
  expect(formatTrace('why', () => undefined)).toBe('why');
});
