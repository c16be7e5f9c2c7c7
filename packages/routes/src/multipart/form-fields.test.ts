import { expect, test } from 'vitest';
import { bareName, fieldValue, formFile, isFormFile } from './form-fields.ts';

test('knows the names of lists as clients mark them', () => {
  expect(['image', 'image[]', 'image[3]', 'a[b]', '[]'].map(bareName)).toEqual(['image', 'image', 'image', 'a[b]', '']);
});

test('reads numbers and flags where their field has them, and leaves any other text to be refused', () => {
  expect(['1', '-0.5', '1e3', 'two', ''].map((text) => fieldValue('number', [text]))).toEqual([
    1,
    -0.5,
    '1e3',
    'two',
    '',
  ]);
  expect(['true', 'false', 'yes'].map((text) => fieldValue('flag', [text]))).toEqual([true, false, 'yes']);
  expect(fieldValue('text', ['1'])).toBe('1');
});

test('takes several values for a list alone', () => {
  expect(fieldValue('texts', ['a'])).toEqual(['a']);
  expect(fieldValue('files', ['a', 'b'])).toEqual(['a', 'b']);
  expect(fieldValue('text', ['a', 'b'])).toBeUndefined();
});

test('tells a file from an object of a body that looks like one', () => {
  expect(isFormFile(formFile('a.png', 'AAAA'))).toBe(true);
  expect(isFormFile({ kind: 'form_file', filename: 'a.png', data: 'AAAA' })).toBe(false);
  expect(isFormFile(null)).toBe(false);
});
