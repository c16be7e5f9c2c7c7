import { expect, test } from 'vitest';
import { toInputSteps } from './to-settings.ts';

test('contents that follow each other are one step, and a result of a function stands between two', () => {
  const result = { kind: 'function_result', callId: 'c1', result: 'done' } as const;
  expect(
    toInputSteps([
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
      result,
      { kind: 'text', text: 'three' },
    ]),
  ).toEqual([
    {
      kind: 'user_input',
      content: [
        { kind: 'text', text: 'one' },
        { kind: 'text', text: 'two' },
      ],
    },
    result,
    { kind: 'user_input', content: [{ kind: 'text', text: 'three' }] },
  ]);
  expect(toInputSteps([result])).toEqual([result]);
});
