import { isRecord } from '@tollgate/contract';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';

/** The word by which clients of this wire know the sort of an error. */
const types: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'insufficient_quota'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
  [500, 'server_error'],
  [502, 'server_error'],
  [503, 'server_error'],
]);

/** One agent repeats every refusal but 400 and 429 up to thirty times, without a mark: it names itself in this header. */
const isCodex = (request: Pick<GatewayRequest, 'header'>): boolean =>
  request.header('originator')?.startsWith('codex') === true;

/**
 * The status for that agent: 400 ends its turn and shows the message, 429 with a time is repeated after that time. An outcome that
 * is not known is final too: a repeat would be one more operation.
 */
const codexStatus = ({ status, headers }: GatewayResponse): number => {
  if (headers['x-should-retry'] === 'true') return 429;
  return status === 429 ? 429 : 400;
};

/** An error of the contract in the form of this wire: with its type, and null for a field that it does not name. */
export const toResponseError = (
  answer: GatewayResponse,
  body: string,
  request: Pick<GatewayRequest, 'header'>,
): GatewayResponse => {
  const parsed: unknown = JSON.parse(body);
  const error = isRecord(parsed) && isRecord(parsed['error']) ? parsed['error'] : { message: String(parsed) };
  const type = types.get(answer.status) ?? 'invalid_request_error';
  return {
    ...answer,
    status: isCodex(request) ? codexStatus(answer) : answer.status,
    body: JSON.stringify({ error: { param: null, ...error, type } }),
  };
};
