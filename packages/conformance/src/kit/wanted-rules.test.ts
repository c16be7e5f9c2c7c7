import { expect, test } from 'vitest';
import { assertRules } from './wanted-rules.ts';

test('takes rules and what they begin with', () => {
  expect(() => assertRules(['auth', 'auth:project:isolated', 'chat:mess'])).not.toThrow();
});

test.each([
  ['auth:project:isolatd', 'auth:project:isolated'],
  ['idempotancy', 'idempotency'],
  ['chat:mesages', 'chat:messages'],
])('names the nearest of %s', (text, name) => {
  expect(() => assertRules(['auth', text])).toThrow(
    `There is no rule ${text}, and none that begins so; the nearest is ${name}`,
  );
});
