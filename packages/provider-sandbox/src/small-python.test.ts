import { expect, test } from 'vitest';
import { runSmallPython } from './small-python.ts';

test.each([
  ['print(6 * 7)', '42\n'],
  ['print(1 + 2 * 3 - (4 - 5))', '8\n'],
  ['print(-7 // 2, -7 % 2, 7 // -2, 7 % -2)', '-4 1 -4 -1\n'],
  ['print(-2 ** 2, 2 ** 3 ** 2, (-2) ** 2)', '-4 512 4\n'],
  ['print(2 ** 100)', '1267650600228229401496703205376\n'],
  ['total = 0\nfor_all = 3 # three\ntotal = total + for_all\nprint(total); print()\n', '3\n\n'],
  ['a = 12;b = a % 5;\nprint(a, b)', '12 2\n'],
  ['print(- - 3, +4)', '3 4\n'],
])('prints what Python prints: %j', (code, output) => {
  expect(runSmallPython(code)).toEqual({ outcome: 'ok', output });
});

test('fails as Python fails, with what was printed before', () => {
  expect(runSmallPython('print(1)\nprint(1 // 0)\nprint(2)')).toEqual({
    outcome: 'failed',
    output: '1\nZeroDivisionError: division by zero\n',
  });
  expect(runSmallPython('print(x)')).toEqual({
    outcome: 'failed',
    output: "NameError: name 'x' is not defined\n",
  });
});

test.each([
  '',
  'print("hi")',
  'print(1 / 2)',
  'print(1.5)',
  'print(007)',
  'print(2 ** -1)',
  'print(9 ** 9 ** 9)',
  'print(1)\n  print(2)',
  'print(1 // 0)\nwhile True: pass',
  'True = 1',
  'print(2x)',
  'print(1if 1else 2)',
  'print(1, 2',
  'print 1',
  '1 + 1',
  'a == 1',
  `print(${'('.repeat(100)}1${')'.repeat(100)})`,
  `print(${'1+'.repeat(2_000)}1)`,
])('does not guess about %j', (code) => {
  expect(runSmallPython(code)).toBeUndefined();
});
