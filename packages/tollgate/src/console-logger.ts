import type { Logger } from '@tollgate/engine';

const line = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ level, message, ...fields, ...causeText(fields['cause']) });

/** Errors are no JSON: their text and stack are for the operator's eyes only. */
const causeText = (cause: unknown): { readonly cause?: string } =>
  cause instanceof Error ? { cause: cause.stack ?? String(cause) } : {};

/** Writes warnings and errors as JSON lines to standard error. */
export const consoleLogger: Logger = {
  info: () => {},
  warn: (message, fields) => console.error(line('warn', message, fields)),
  error: (message, fields) => console.error(line('error', message, fields)),
};
