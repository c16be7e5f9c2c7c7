import { GatewayError, type ErrorCode } from '@tollgate/contract';
import { isRefusalDetail, type CallField, type RefusalDetail } from '@tollgate/provider';
import type { FieldNames } from './field-names.ts';

/** What kept an operation from giving an answer. */
export interface RefusedOutcome {
  readonly code: ErrorCode;
  readonly requestId: string | null;
  readonly retryAfterMs?: number | null;
  readonly detail?: string;
  /** The setting of the call that the provider refused. */
  readonly field?: CallField | undefined;
  /** Why its upstream refused it. */
  readonly refusal?: RefusalDetail | undefined;
}

/** What a client reads of each refusal. */
const refusalWords: Readonly<Record<RefusalDetail, string>> = {
  content_policy: 'the provider does not allow its content',
  document_too_large: 'a document in it is too large',
  document_unreadable: 'a document in it cannot be read',
  function_results: 'function calls and results in it do not belong together',
  function_schema: 'the schema of a function is not valid',
  image_too_large: 'an image in it is too large',
  image_unreadable: 'an image in it cannot be read',
  media_type: 'it has media of a type that the model does not read',
  response_schema: 'the schema of the response is not valid',
  too_many_images: 'it has too many images',
};

/** The field as its client named it, where the route has one field for it, and why it was refused. */
const namedBy = (names: FieldNames | undefined, { code, field, refusal }: RefusedOutcome) => {
  if (code !== 'unsupported_parameter') return {};
  const param = field === undefined ? undefined : names?.get(field);
  // A provider of another copy of the package may name what this one does not know.
  const why = isRefusalDetail(refusal) ? refusalWords[refusal] : undefined;
  if (why === undefined && param === undefined) return {};
  const subject = param === undefined ? 'the request' : `the field ${param}`;
  const detail = `The model does not accept ${subject}${why === undefined ? ' as it was sent' : `: ${why}`}.`;
  return param === undefined ? { detail } : { param, detail };
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
