import { expect, test } from 'vitest';
import { drawCommand } from '../../../src/core/text/draw-command.ts';

test('a command wraps between its parts alone, and is copied as it is typed', () => {
  const { markup } = drawCommand('brokerage-mcp drafts show a<b --page');
  expect(markup.match(/(?<=<span>)[^<]*/g)).toEqual(['brokerage-mcp', 'drafts', 'show', 'a&lt;b', '--page']);
  expect(markup.replace(/<[^>]*>/g, '')).toBe('brokerage-mcp drafts show a&lt;b --page');
});
