import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

/** The response of a request that registered nothing, under the id that the lines of the request carry. */
export const withRequestId = (
  { newRequestId }: Pick<Service, 'newRequestId'>,
  { id }: Pick<GatewayRequest, 'id'>,
  answer: GatewayResponse,
): GatewayResponse =>
  answer.headers['x-request-id'] === undefined
    ? { ...answer, headers: { ...answer.headers, 'x-request-id': id ?? newRequestId() } }
    : answer;
