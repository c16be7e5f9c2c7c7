import {
  autoModelId,
  limits,
  parseEnvironmentRequest,
  shownNetwork,
  type EnvironmentRequest,
} from '@tollgate/contract';
import {
  draftResource,
  dropEnvironmentFiles,
  sealNetwork,
  storeEnvironmentFiles,
  type Access,
  type EnvironmentWork,
  type ResourcePlan,
} from '@tollgate/engine';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import { requireRoom } from '../require-room.ts';
import type { Service } from '../service.ts';

const path = '/environments';

type Files = NonNullable<ResourcePlan['draft']['files']>;

// environments:body:*
/** It asks no model, and costs nothing: its record is the environment. */
const planEnvironment = (
  { brand, engine, environments, interactions }: Service,
  access: Access,
  { displayName, sources, network: asked }: EnvironmentRequest,
  files: Files,
): Omit<ResourcePlan, 'identity' | 'fingerprint'> => {
  const network = asked ?? environments.defaultNetwork;
  const work: EnvironmentWork = { network: sealNetwork(interactions.seal, network) };
  return {
    access,
    kind: 'environment',
    model: access.model ?? autoModelId(brand),
    estimate: null,
    refusal: null,
    draft: draftResource({
      kind: 'environment',
      displayName,
      availability: 'active',
      publicFields: { sources: sources.map(({ path: target }) => ({ target })), network: shownNetwork(network) },
      work,
      expiresAfterMs: engine.limits.environmentIdleMs,
      files,
    }),
    uses: [],
  };
};

/** POST /environments: 200 with the record of an environment that can be used at once. */
export const createEnvironment = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  // One that has an identity may be there already.
  if (identity === null) await requireRoom(service, access, 'environments');
  const body = await readJson(service, request, limits.bodyBytesMax.environments);
  const asked = parseEnvironmentRequest(body.value);
  const files = await storeEnvironmentFiles(service.engine, asked.sources, { requestId: request.id });
  let taken = false;
  try {
    const plan = planEnvironment(service, access, asked, files);
    const named = { identity, fingerprint: fingerprint(request.method, path, body.bytes) };
    const answer = await answerCreated(service, { ...plan, ...named });
    taken = answer.headers['idempotency-replayed'] === 'false';
    return answer;
  } finally {
    if (!taken) await dropEnvironmentFiles(service.engine, files, { requestId: request.id });
  }
};
