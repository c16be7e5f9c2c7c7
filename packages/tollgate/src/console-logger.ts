import type { Logger } from '@tollgate/engine';
import { causeLines } from './cause-lines.ts';

const line = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ level, message, ...fields, ...causeFields(fields['cause']) });

/** Failures of an upstream are expected: where in this library one was noticed helps no operator. */
const expectedCodes: ReadonlySet<unknown> = new Set(['not_executed', 'unknown_outcome']);

interface CauseFields {
  /** What was thrown, and what caused it, the outermost first. */
  readonly cause?: readonly string[];
  readonly stack?: string | undefined;
}

/** Errors are no JSON. What they say is for the operator's eyes only. */
const causeFields = (cause: unknown): CauseFields => {
  if (cause === undefined) return {};
  const lines = causeLines(cause);
  return cause instanceof Error && !expectedCodes.has(Reflect.get(cause, 'code'))
    ? { cause: lines, stack: cause.stack }
    : { cause: lines };
};

/** Writes warnings and errors as JSON lines to standard error, each with the chain of its causes. */
export const consoleLogger: Logger = {
  info: () => {},
  warn: (message, fields) => console.error(line('warn', message, fields)),
  error: (message, fields) => console.error(line('error', message, fields)),
};
