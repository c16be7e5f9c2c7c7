import { limits, parseInteractionRequest } from '@tollgate/contract';
import type { Access, ResourcePlan } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { createdAnswer, createPlanned, type CreatedResource } from '../resources/create-resource-answer.ts';
import { resourceBody } from '../resources/encode-resource.ts';
import type { Service } from '../service.ts';
import { checkTools } from './check-interaction.ts';
import { dropGuarded } from './drop-guarded.ts';
import { planInteraction } from './plan-interaction.ts';

const reading = { path: '/interactions', bytesMax: limits.bodyBytesMax.interactions, places: ['input.*.data'] };

/** Opens the interaction that is planned. What was put aside for it is dropped where it is not opened; so is its body. */
export const openPlanned = async (
  service: Service,
  makePlan: () => Promise<ResourcePlan>,
  release: () => Promise<void>,
): Promise<CreatedResource> => {
  let plan: ResourcePlan | null = null;
  let kept = false;
  try {
    plan = await makePlan();
    const created = await createPlanned(service, plan);
    // What was put aside for an interaction that exists already is not used.
    kept = !created.replayed;
    return created;
  } finally {
    if (!kept) {
      if (plan !== null) await dropGuarded(service, plan);
      await release();
    }
  }
};

/** Opens the interaction that a request asks for. `toBody` brings a body of another dialect to the contract's form. */
export const openInteraction = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  toBody: (value: unknown) => unknown = (value) => value,
): Promise<CreatedResource> => {
  const identity = identityOf(request);
  const { value, fingerprint, release } = await readMediaJson(service, request, reading);
  const makePlan = async (): Promise<ResourcePlan> => {
    const asked = parseInteractionRequest(toBody(value));
    checkTools(service, asked.tools);
    return planInteraction(service, access, asked, { identity, fingerprint });
  };
  return openPlanned(service, makePlan, release);
};

// interactions:*
/** POST /interactions: 200 with the record, while a worker goes on. */
export const createInteraction = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const created = await openInteraction(service, access, request);
  return createdAnswer(created, resourceBody(service, created.found));
};
