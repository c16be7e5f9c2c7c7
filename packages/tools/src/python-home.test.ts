import { expect, test } from 'vitest';
import { findPyodide } from './python-home.ts';

const findNothing = (name: string): never => {
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
};

test('says what to install where the interpreter is not there', () => {
  expect(() => findPyodide(findNothing)).toThrow(
    'Python for models needs the package pyodide, which is not installed: npm install pyodide',
  );
});
