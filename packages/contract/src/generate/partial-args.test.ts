import { expect, test } from 'vitest';
import { joinPartialArgs, type PartialArgs } from './partial-args.ts';

test.each<[PartialArgs, object]>([
  [[], { city: 'Faro' }],
  [[{ jsonPath: '$.days', numberValue: 2 }], { city: 'Faro', days: 2 }],
  [
    [
      { jsonPath: '$.note', stringValue: 'Bring ', willContinue: true },
      { jsonPath: '$.note', stringValue: 'a hat.', willContinue: false },
    ],
    { city: 'Faro', note: 'Bring a hat.' },
  ],
  [
    [
      { jsonPath: '$.at[0].x', boolValue: true },
      { jsonPath: "$['two words'].b[0]", nullValue: 'NULL_VALUE' },
      { jsonPath: "$['two words'].b[1]", numberValue: 0 },
    ],
    { city: 'Faro', at: [{ x: true }], 'two words': { b: [null, 0] } },
  ],
])('joins %j', (pieces, expected) => {
  const args = { city: 'Faro' };
  expect(joinPartialArgs(args, pieces)).toEqual(expected);
  expect(args).toEqual({ city: 'Faro' });
});

test.each<[string, PartialArgs]>([
  ['another form of path', [{ jsonPath: '$..a', numberValue: 1 }]],
  ['no path', [{ jsonPath: '$', numberValue: 1 }]],
  ['a list in place of the arguments', [{ jsonPath: '$[0]', numberValue: 1 }]],
  ['no value', [{ jsonPath: '$.a' }]],
  ['two values', [{ jsonPath: '$.a', numberValue: 1, stringValue: 'b' }]],
  [
    'a value twice',
    [
      { jsonPath: '$.a', numberValue: 1 },
      { jsonPath: '$.a', numberValue: 2 },
    ],
  ],
  ['a member of a text', [{ jsonPath: '$.city.a', numberValue: 1 }]],
  [
    'a list that is an object too',
    [
      { jsonPath: '$.a.b', numberValue: 1 },
      { jsonPath: '$.a[0]', numberValue: 2 },
    ],
  ],
  ['a gap in a list', [{ jsonPath: '$.a[999999]', numberValue: 1 }]],
  ['the prototype', [{ jsonPath: '$.__proto__.a', numberValue: 1 }]],
])('makes nothing of %s', (_, pieces) => {
  expect(joinPartialArgs({ city: 'Faro' }, pieces)).toBeNull();
});
