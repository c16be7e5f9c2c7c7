import { expect, test } from 'vitest';
import { formatOf, said } from './image-answer.ts';

test('what the model was left to choose is not said', () => {
  expect(said('auto')).toBeNull();
  expect(said('high')).toBe('high');
  expect(said(undefined)).toBeUndefined();
});

test('names a format by its type', () => {
  expect(formatOf('image/png')).toBe('png');
  expect(formatOf('image/jpeg; q=1')).toBe('jpeg');
});
