import type { GenerationEnd, Part } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { addParts, createGenerationAssembly, finishAssembly } from './generation-assembly.ts';

const end: GenerationEnd = { finish: 'stop', usage: [] };
const assembled = (...pieces: readonly Part[]) => {
  const assembly = createGenerationAssembly(1_000);
  for (const piece of pieces) addParts(assembly, [piece]);
  return finishAssembly(assembly, end);
};

const call = (id: string): Part => ({ kind: 'function_call', id, name: 'look', arguments: '{}' });

test('joins texts of one kind, and leaves apart what carries a state of its own', () => {
  const { parts, text } = assembled(
    { kind: 'text', text: 'I ', thought: true },
    { kind: 'text', text: 'think', thought: true },
    { kind: 'text', text: 'So' },
    { kind: 'text', text: ' it is' },
    { kind: 'text', text: '', context: 'signed' },
    { kind: 'text', text: '.' },
  );
  expect(parts).toEqual([
    { kind: 'text', text: 'I think', thought: true },
    { kind: 'text', text: 'So it is' },
    { kind: 'text', text: '', context: 'signed' },
    { kind: 'text', text: '.' },
  ]);
  expect(text).toBe('So it is.');
});

test('gathers calls beside the text, in order', () => {
  const { functionCalls, parts } = assembled(call('a'), { kind: 'text', text: 'and' }, call('b'));
  expect(functionCalls.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(parts?.map(({ kind }) => kind)).toEqual(['function_call', 'text', 'function_call']);
});

test('keeps no more than allowed, and says so at the end', () => {
  const assembly = createGenerationAssembly(10);
  for (let piece = 0; piece < 1_000; piece += 1) addParts(assembly, [{ kind: 'text', text: '1234' }]);
  expect(() => finishAssembly(assembly, end)).toThrow('more than 10 characters');
  expect(assembled({ kind: 'media', mimeType: 'image/png', data: 'x'.repeat(1_000) }).parts).toHaveLength(1);
  expect(() => assembled({ kind: 'media', mimeType: 'image/png', data: 'x'.repeat(1_001) })).toThrow('characters');
});

test('keeps what a text cites with the text, however it was divided', () => {
  const [one, two] = [
    { type: 'url_citation', url: 'a' },
    { type: 'url_citation', url: 'b' },
  ];
  const { parts, text } = assembled(
    { kind: 'text', text: 'Hm', thought: true },
    { kind: 'text', text: 'It is', annotations: [one] },
    { kind: 'text', text: ' so.' },
    { kind: 'text', text: '', annotations: [two] },
    call('a'),
    { kind: 'text', text: 'Yes.' },
  );
  expect(parts?.map((part) => (part.kind === 'text' ? [part.text, part.annotations] : part.kind))).toEqual([
    ['Hm', undefined],
    ['It is so.', [one, two]],
    'function_call',
    ['Yes.', undefined],
  ]);
  expect(text).toBe('It is so.Yes.');
});
