/** How many bytes are held for clients that keep the server waiting, and which of them is closed. */
import { expect, test } from 'vitest';
import { type ClientConnection, createHeldBytes } from '../../../src/core/http/request-body.ts';

/** Connections `a`, `b` and `c`, and the names of those that were closed. */
function connections() {
  const closed: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map(
    (name) => ({ destroy: () => closed.push(name) }) as unknown as ClientConnection,
  );
  return { a, b, c, closed } as Record<'a' | 'b' | 'c', ClientConnection> & { closed: string[] };
}

test('above the bound of all connections together, the one with the most bytes is closed', () => {
  const { a, b, c, closed } = connections();
  const held = createHeldBytes(100);
  held.hold(a, 30);
  held.hold(b, 50);
  held.hold(c, 20);
  expect(closed).toEqual([]);
  held.hold(c, 21);
  expect(closed).toEqual(['b']);
  // What was held for it is free.
  held.hold(a, 79);
  expect(closed).toEqual(['b']);
  held.hold(a, 80);
  expect(closed).toEqual(['b', 'a']);
});

test('the bytes of a connection replace those that were held for it before', () => {
  const { a, b, closed } = connections();
  const held = createHeldBytes(100);
  for (const bytes of [20, 40, 60]) held.hold(a, bytes);
  held.hold(b, 40);
  held.hold(b, 10);
  held.hold(a, 90);
  expect(closed).toEqual([]);
});

test('nothing is held for a connection that was released', () => {
  const { a, b, closed } = connections();
  const held = createHeldBytes(100);
  held.hold(a, 100);
  held.release(a);
  held.hold(b, 100);
  expect(closed).toEqual([]);
});

test('the connection that has waited longest makes room, also when more was read of it since', () => {
  const { a, b, closed } = connections();
  const held = createHeldBytes(100);
  held.hold(a, 0);
  held.hold(b, 5);
  held.hold(a, 10);
  expect([held.closeOldest(), held.closeOldest(), held.closeOldest()]).toEqual([true, true, false]);
  expect(closed).toEqual(['a', 'b']);
});
