import { errorTable, GatewayError, type ErrorCode } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

/** What became of a resource that has ended without a result, as an error. */
export const failureOf = ({ operation }: Pick<FoundResource, 'operation'>): GatewayError => {
  const { errorCode: code, id } = operation;
  return new GatewayError(code !== null && isErrorCode(code) ? code : 'request_failed', { requestId: id });
};
