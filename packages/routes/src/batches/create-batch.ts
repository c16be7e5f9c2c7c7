import { limits } from '@tollgate/contract';
import { storeBatchInput, type Access, type ResourcePlan } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { dropLifted } from '../media-json/lift-bytes.ts';
import { readMediaJson, type MediaJsonBody } from '../media-json/read-media-json.ts';
import { createdAnswer, createPlanned, type CreatedResource } from '../resources/create-resource-answer.ts';
import { resourceBody } from '../resources/encode-resource.ts';
import type { Service } from '../service.ts';
import { planBatch, prepareBatch, type PreparedBatch } from './plan-batch.ts';

const request = 'requests.*.request';

/** Where base64 stands in the body, in both spellings. */
const mediaPlaces = (snakeCase: boolean): readonly string[] => [
  `${request}.contents.*.parts.*.inlineData.data`,
  `${request}.content.parts.*.inlineData.data`,
  ...(snakeCase ? [`${request}.contents.*.parts.*.inline_data.data`] : []),
];

/** Reads the body of POST /batches. */
export const readBatchBody = (service: Service, asked: GatewayRequest): Promise<MediaJsonBody> =>
  readMediaJson(service, asked, {
    path: '/batches',
    bytesMax: limits.bodyBytesMax.batches,
    places: mediaPlaces(service.compatibility.snakeCase === true),
  });

/** What opens a batch beside its items. */
export interface BatchRequestFacts extends Pick<ResourcePlan, 'access' | 'identity' | 'fingerprint'> {
  readonly prepare: () => Promise<PreparedBatch>;
  /** Deletes what was put aside for the batch, unless it is kept. */
  readonly release: () => Promise<void>;
}

/** Puts the items of a checked batch aside and opens it. */
export const openPreparedBatch = async (
  service: Service,
  { prepare, release, ...named }: BatchRequestFacts,
): Promise<CreatedResource> => {
  const stored: string[] = [];
  let kept = false;
  try {
    const prepared = await prepare();
    const input = await storeBatchInput(service.engine, prepared.items);
    stored.push(input.blobKey);
    const created = await createPlanned(
      service,
      planBatch(service, prepared, input, { ...named, access: prepared.access }),
    );
    // What was put aside for a batch that exists already is not used.
    kept = !created.replayed;
    return created;
  } finally {
    if (!kept) await Promise.all([release(), dropLifted(service, stored, named.access.requestId)]);
  }
};

/** Opens the batch of a body that was read. */
export const createBatchOf = async (
  service: Service,
  access: Access,
  asked: GatewayRequest,
  { value, fingerprint, release }: MediaJsonBody,
): Promise<GatewayResponse> => {
  const prepare = (): Promise<PreparedBatch> => prepareBatch(service, access, value);
  const identity = identityOf(asked);
  const created = await openPreparedBatch(service, { access, identity, fingerprint, prepare, release });
  return createdAnswer(created, resourceBody(service, created.found));
};

// batches:*
/** POST /batches: 200 with the record, while a worker goes on. */
export const createBatch = async (
  service: Service,
  access: Access,
  asked: GatewayRequest,
): Promise<GatewayResponse> => {
  // A key that is none is refused before the body is read.
  identityOf(asked);
  return createBatchOf(service, access, asked, await readBatchBody(service, asked));
};
