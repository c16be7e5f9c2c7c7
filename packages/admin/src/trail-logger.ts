import type { Logger } from '@tollgate/engine';

const line = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): string => {
  const { cause, ...rest } = fields;
  const said = cause instanceof Error ? { cause: cause.message, stack: cause.stack } : {};
  return JSON.stringify({ level, message, ...rest, ...said });
};

/** Writes JSON lines: the audit trail to standard output, what went wrong to standard error. */
export const trailLogger: Logger = {
  info: (message, fields) => console.log(line('info', message, fields)),
  warn: (message, fields) => console.error(line('warn', message, fields)),
  error: (message, fields) => console.error(line('error', message, fields)),
};
