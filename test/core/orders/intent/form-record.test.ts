/** What is known of a form of a host, and what a person is told of it. */
import { expect, test } from 'vitest';
import {
  describeForm,
  type FormRecord,
  maxForms,
  readTyped,
  sayTyped,
  withFormSent,
} from '../../../../src/core/orders/intent/approval-methods.ts';

test('a person who mistypes is asked once more, and each form starts without a result', () => {
  expect(withFormSent(undefined)).toEqual({ sent: 1 });
  expect(withFormSent({ sent: 1, last: 'wrong', problem: 'x' })).toEqual({ sent: 2 });
  expect(maxForms).toBe(2);
});

test.each([
  ['12', '12'],
  [12, '12'],
  [' 1\n2 ', '1 2'],
  ['1'.repeat(20), '1'.repeat(20)],
  ['1'.repeat(21), `${'1'.repeat(19)}…`],
  ['', undefined],
  [' ', undefined],
  [true, undefined],
  [null, undefined],
  [undefined, undefined],
])('what was typed as %j is read as %j', (value, text) => {
  expect(readTyped(value)).toBe(text);
});

test('a mistake is said to the person who made it, and to the caller', () => {
  expect(sayTyped('typed 3.')).toEqual({ toPerson: 'You typed 3.', toCaller: 'The person typed 3.' });
});

test.each<[FormRecord | undefined, string]>([
  [undefined, 'No form was sent to the host; '],
  [
    { sent: 1 },
    'A form that asks for the number was sent to the host, which has not returned it. If no form is seen: ',
  ],
  [{ sent: 1, last: 'closed' }, 'The host closed the form; a person may not have seen it. Otherwise, '],
  [
    { sent: 1, last: 'empty' },
    'The host returned the form without the number; a person may not have seen it. Otherwise, ',
  ],
  [{ sent: 2, last: 'wrong', problem: 'The person typed 3.' }, 'The person typed 3. To approve, '],
  [{ sent: 2, last: 'wrong' }, 'The form was filled in wrongly. To approve, '],
])('of %j it claims no more than is known, and names the terminal', (form, start) => {
  const text = describeForm(form, 'the number', 'run approve');
  expect(text).toBe(`${start}if a passphrase is enrolled, run approve.`);
});
