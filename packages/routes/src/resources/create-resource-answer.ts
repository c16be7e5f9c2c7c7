import { createResource, type FoundResource, type ResourcePlan } from '@tollgate/engine';
import type { ByteBody } from '../byte-body.ts';
import type { GatewayResponse } from '../gateway-request.ts';
import { lengthOf } from '../json-answer.ts';
import { refusedError } from '../refused-error.ts';
import type { Service } from '../service.ts';
import { resourceBody } from './encode-resource.ts';

/** A resource as it is now, and whether it was there before. */
export interface CreatedResource {
  readonly found: FoundResource;
  readonly replayed: boolean;
}

/** Creates what a route planned, or throws why not. */
export const createPlanned = async (service: Service, plan: ResourcePlan): Promise<CreatedResource> => {
  const outcome = await createResource(service.engine, plan);
  if (outcome.kind === 'refused') throw refusedError(outcome);
  return outcome;
};

/** 200 with the body of what was created. */
export const createdAnswer = ({ found, replayed }: CreatedResource, body: string | ByteBody): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': found.operation.id,
    'idempotency-replayed': String(replayed),
    ...lengthOf(body),
  },
  body,
});

// resources:create:200
/** Creates what a route planned and answers 200 with its record, which may still be in progress. */
export const answerCreated = async (service: Service, plan: ResourcePlan): Promise<GatewayResponse> => {
  const created = await createPlanned(service, plan);
  return createdAnswer(created, resourceBody(service, created.found));
};
