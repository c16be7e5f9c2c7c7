/** An error as the contract tells it. */
export interface ToldError {
  readonly status: number;
  readonly message: string;
  /** Null where the route tells its errors as a message alone. */
  readonly code: string | null;
  readonly requestId: string | null;
  /** The field that the provider of the model refused, as its client names it. */
  readonly param?: string | undefined;
}

/** The status names that clients of this dialect switch on, by HTTP status. */
const statusNames: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [402, 'FAILED_PRECONDITION'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'UNIMPLEMENTED'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [502, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
]);

/** How this dialect names a field; without the name of its type, which no answer of ours may hold. */
const violationOf = (field: string, description: string) => ({ fieldViolations: [{ field, description }] });

/** The error object of this dialect: a number where the contract has a code, which goes into the details. */
export const googleError = ({ status, message, code, requestId, param }: ToldError): string =>
  JSON.stringify({
    error: {
      code: status,
      message,
      status: statusNames.get(status) ?? 'INVALID_ARGUMENT',
      details:
        code === null
          ? undefined
          : [
              { reason: code, ...(requestId === null ? {} : { request_id: requestId }) },
              ...(param === undefined ? [] : [violationOf(param, message)]),
            ],
    },
  });

/** The body of an answer in either form of the contract. */
interface ToldBody {
  readonly error:
    | string
    | { readonly code: string; readonly message: string; readonly request_id?: string; readonly param?: string };
}

/** The body of an error that the contract's own routes have told, in this dialect. */
export const toGoogleError = (status: number, body: string): string => {
  // Written by `renderError` alone, so its shape is known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { error } = JSON.parse(body) as ToldBody;
  if (typeof error === 'string') return googleError({ status, message: error, code: null, requestId: null });
  const { code, message, request_id: requestId = null, param } = error;
  return googleError({ status, message, code, requestId, param });
};
