import type { Engine } from '../engine.ts';
import { checkArguments } from './argument-check.ts';
import { argumentChecks } from './argument-checks.ts';

/** A method whose arguments are checked. */
export type Method = keyof typeof argumentChecks;

/** Makes a function of the engine a method. */
export type Bind = <A extends readonly unknown[], R>(
  method: Method,
  run: (engine: Engine, ...rest: A) => Promise<R>,
) => (...rest: A) => Promise<R>;

/** Binds functions to one engine: their arguments come from JavaScript, so that they are parsed. */
export const createBind =
  (engine: Engine): Bind =>
  (method, run) =>
  async (...rest) => {
    checkArguments(method, argumentChecks[method], rest);
    return run(engine, ...rest);
  };
