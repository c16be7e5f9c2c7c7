import { expect, test } from 'vitest';
import { defaultChoices } from './choices.ts';
import { renderTemplate } from './render-template.ts';

const lines = (...texts: readonly string[]): string => texts.join('\n');

test('keeps the parts of the choices, and removes the others with all marks', () => {
  const text = lines('a', '// #if host=node,hono', 'b', '// #endif', '  // #if host=next', 'c', '  // #endif', 'd');
  expect(renderTemplate(text, defaultChoices)).toBe(lines('a', 'b', 'd'));
  expect(renderTemplate(text, { ...defaultChoices, host: 'next' })).toBe(lines('a', 'c', 'd'));
});

test('reads marks of settings and of Markdown', () => {
  const text = lines('# #if storage=sqlite', 'a', '# #endif', '<!-- #if storage=memory -->', 'b', '<!-- #endif -->');
  expect(renderTemplate(text, defaultChoices)).toBe('a');
});

test('leaves one empty line where a part stood', () => {
  const text = lines('a', '', '// #if host=next', 'b', '// #endif', '', 'c');
  expect(renderTemplate(text, defaultChoices)).toBe(lines('a', '', 'c'));
});

test.each([
  ['a choice that does not exist', lines('// #if cloud=any', '// #endif'), 'the choice cloud'],
  ['a value that does not exist', lines('// #if host=koa', '// #endif'), 'host=koa'],
  ['a condition that stays open', '// #if host=node', 'leaves a condition open'],
  ['an end without a beginning', '// #endif', 'not open'],
  ['a condition within another', lines('// #if host=node', '// #if storage=sqlite'), 'within another'],
])('refuses %s', (_, text, message) => {
  expect(() => renderTemplate(text, defaultChoices)).toThrow(message);
});
