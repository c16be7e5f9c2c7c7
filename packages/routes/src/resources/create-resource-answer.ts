import { GatewayError } from '@tollgate/contract';
import { createResource, type ResourcePlan } from '@tollgate/engine';
import type { GatewayResponse } from '../gateway-request.ts';
import { lengthOf } from '../json-answer.ts';
import type { Service } from '../service.ts';
import { resourceBody } from './encode-resource.ts';

/** Creates what a route planned and answers 200 with its record, which may still be in progress (resources:create:200). */
export const answerCreated = async (service: Service, plan: ResourcePlan): Promise<GatewayResponse> => {
  const outcome = await createResource(service.engine, plan);
  if (outcome.kind === 'refused')
    throw new GatewayError(outcome.code, outcome.requestId === null ? {} : { requestId: outcome.requestId });
  const body = resourceBody(service, outcome.found);
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': outcome.found.operation.id,
      'idempotency-replayed': String(outcome.replayed),
      ...lengthOf(body),
    },
    body,
  };
};
