import { limits, parseVideoRequest } from '@tollgate/contract';
import type { Access, ResourcePlan } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readMediaJson, type MediaJsonBody } from '../media-json/read-media-json.ts';
import { createdAnswer, createPlanned, type CreatedResource } from '../resources/create-resource-answer.ts';
import { resourceBody } from '../resources/encode-resource.ts';
import type { Service } from '../service.ts';
import { planVideo } from './plan-video.ts';

const reading = {
  path: '/videos',
  bytesMax: limits.bodyBytesMax.videos,
  places: ['image.data', 'last_frame.data', 'reference_images.*.data'],
};

/** Reads the body of POST /videos. */
export const readVideoBody = (service: Service, request: GatewayRequest): Promise<MediaJsonBody> =>
  readMediaJson(service, request, reading);

/** Opens what was planned of a body, whose media are kept for a new video alone. */
export const openVideoOf = async (
  service: Service,
  { release }: Pick<MediaJsonBody, 'release'>,
  plan: () => Promise<ResourcePlan>,
): Promise<CreatedResource> => {
  let kept = false;
  try {
    const created = await createPlanned(service, await plan());
    // What was lifted for a video that exists already is not used.
    kept = !created.replayed;
    return created;
  } finally {
    if (!kept) await release();
  }
};

/** The video of a body that was read. */
export const createVideoOf = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  body: MediaJsonBody,
): Promise<GatewayResponse> => {
  const named = { identity: identityOf(request), fingerprint: body.fingerprint };
  const plan = async () => planVideo(service, access, parseVideoRequest(body.value), named);
  const created = await openVideoOf(service, body, plan);
  return createdAnswer(created, resourceBody(service, created.found));
};

// videos:*
/** POST /videos: 200 with the record, while a worker goes on. */
export const createVideo = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  // A key that is none is refused before the body is read.
  identityOf(request);
  return createVideoOf(service, access, request, await readVideoBody(service, request));
};
