import { cameAs } from './came.ts';
import type { ErrorCode } from '../http/error-code.ts';
import type { Path } from './field-fault.ts';
import { fieldPath } from './field-path.ts';
import { GatewayError } from '../http/gateway-error.ts';

/** What was sent at a place of the body, and what would be accepted there. */
export interface RefusedValue {
  readonly path: Path;
  readonly value: unknown;
  /** The end of the sentence, as in `is a list of 1 to 100 entries`. */
  readonly accepted: string;
  /** Whether the field takes words, of which a short one is repeated. */
  readonly isWord?: boolean;
}

/** The error of a value that a schema has no word for: names the field, what came, and what is accepted. */
export const refusedValue = (
  code: ErrorCode,
  { path, value, accepted, isWord = false }: RefusedValue,
): GatewayError => {
  const subject = path.length === 0 ? 'The body' : `The field ${fieldPath(path)}`;
  return new GatewayError(code, { detail: `${subject} ${cameAs(value, isWord)}; accepted ${accepted}.` });
};

/** A body that is no object. */
export const noObjectError = (body: unknown): GatewayError =>
  refusedValue('invalid_request', { path: [], value: body, accepted: 'is a JSON object' });

/** A list that is none, or has too few or too many entries. */
export const listError = (path: Path, value: unknown, [min, max]: readonly [number, number]): GatewayError =>
  refusedValue('invalid_request', { path, value, accepted: `is a list of ${min} to ${max} entries` });

/** A schema, or arguments, nested more deeply than can be taken apart. */
export const tooDeepError = (code: ErrorCode, path: Path, depthMax: number): GatewayError =>
  new GatewayError(code, {
    detail: `The field ${fieldPath(path)} is nested more than ${depthMax} levels deep; accepted are at most ${depthMax}.`,
  });
