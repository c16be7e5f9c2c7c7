import { expect, test } from 'vitest';
import { contextSecretOf } from './context-secret-variable.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

const read = (text?: string) =>
  contextSecretOf({
    world: {
      print: () => undefined,
      complain: () => undefined,
      environment: { TOLLGATE_CONTEXT_SECRET: text },
      exit: () => undefined,
    },
  });

test('takes the secrets that seal from the environment, the first one first', () => {
  expect(read(first)).toEqual({ contextSecret: [first] });
  expect(read(`${first},${second}`)).toEqual({ contextSecret: [first, second] });
  expect(read('')).toEqual({});
  expect(read()).toEqual({});
});

test('names the variable where a secret is too short', () => {
  expect(() => read(`${first},short`)).toThrow('TOLLGATE_CONTEXT_SECRET[1] is a text of 5 characters');
});
