import type { Logger } from '@tollgate/engine';

/** A function of the host that says whether an origin may come in, and the name of its option. */
export interface OriginRule<O extends string | null> {
  readonly option: 'cors.origins' | 'allowsOrigin';
  readonly allows: (origin: O) => boolean;
}

/** Where a failure of that function is logged, and the request that it decides on; a socket has no id yet. */
export interface OriginLine {
  readonly logger: Logger | undefined;
  readonly requestId?: string | undefined;
}

const codes = { 'cors.origins': 'cors_origins_failed', allowsOrigin: 'allows_origin_failed' } as const;

/** A promise decides nothing here. One that rejects must not end the process. */
const dropRejection = (value: unknown): void => {
  if (value instanceof Promise) value.catch(() => {});
};

/** Only `true` lets an origin in. A function that throws, or returns neither true nor false, refuses it and is logged. */
export const letsIn = <O extends string | null>(
  rule: OriginRule<O>,
  origin: O,
  { logger, requestId }: OriginLine,
): boolean => {
  const message = `${rule.option} failed: the origin is not let in`;
  const code = codes[rule.option];
  try {
    const allowed: unknown = rule.allows(origin);
    if (typeof allowed === 'boolean') return allowed;
    dropRejection(allowed);
    logger?.error(message, { requestId, code, reason: 'nonsense' });
  } catch (cause) {
    logger?.error(message, { requestId, code, reason: 'threw', cause });
  }
  return false;
};
