import { GatewayError, type ErrorCode } from '@tollgate/contract';
import type { CallField } from '@tollgate/provider';
import type { FieldNames } from './field-names.ts';

/** What kept an operation from giving an answer. */
export interface RefusedOutcome {
  readonly code: ErrorCode;
  readonly requestId: string | null;
  readonly retryAfterMs?: number | null;
  readonly detail?: string;
  /** The setting of the call that the provider refused. */
  readonly field?: CallField | undefined;
}

/** The field as its client named it, where the route has one field for it. */
const namedBy = (names: FieldNames | undefined, { code, field }: RefusedOutcome) => {
  const param = code === 'unsupported_parameter' && field !== undefined ? names?.get(field) : undefined;
  return param === undefined ? {} : { param, detail: `The model does not accept the field ${param} as it was sent.` };
};

/** What became of an operation that gave no answer, as the error its caller gets. */
export const refusedError = (outcome: RefusedOutcome, names?: FieldNames): GatewayError => {
  const { code, requestId, retryAfterMs = null, detail } = outcome;
  return new GatewayError(code, {
    requestId: requestId ?? undefined,
    retryAfterMs: retryAfterMs ?? undefined,
    ...namedBy(names, outcome),
    ...(detail === undefined ? {} : { detail }),
  });
};
