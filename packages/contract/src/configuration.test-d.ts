import { expectTypeOf, test } from 'vitest';
import {
  flag,
  oneOf,
  optionsCheck,
  required,
  text,
  whole,
  type OptionCheck,
  type OptionChecks,
} from './configuration.ts';

interface Options {
  readonly path: string;
  readonly retries?: number;
  readonly mode?: 'fast' | 'safe';
}

const path = required(text());
const retries = whole();
const mode = oneOf('fast', 'safe');

test('a whole description is a check of its type', () => {
  expectTypeOf(optionsCheck<Options>({ path, retries, mode })).toEqualTypeOf<OptionCheck<Options>>();
});

test('an option without a description does not compile', () => {
  expectTypeOf({ path, retries }).not.toExtend<OptionChecks<Options>>();
  expectTypeOf({ path, retries, mode }).toExtend<OptionChecks<Options>>();
});

test('a description of no option does not compile', () => {
  // @ts-expect-error there is no option of this name.
  const check = optionsCheck<Options>({ path, retries, mode, other: flag() });
  expectTypeOf(check).toEqualTypeOf<OptionCheck<Options>>();
});

test('a description of another type does not compile, neither a wider nor a narrower one', () => {
  expectTypeOf({ path, mode, retries: flag() }).not.toExtend<OptionChecks<Options>>();
  expectTypeOf({ path, retries, mode: oneOf('fast') }).not.toExtend<OptionChecks<Options>>();
  expectTypeOf({ path, retries, mode: oneOf('fast', 'safe', 'slow') }).not.toExtend<OptionChecks<Options>>();
});

test('what has no default is marked, and nothing else is', () => {
  expectTypeOf({ path: text(), retries, mode }).not.toExtend<OptionChecks<Options>>();
  expectTypeOf({ path, retries: required(whole()), mode }).not.toExtend<OptionChecks<Options>>();
});
