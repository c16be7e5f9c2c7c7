import { limits, parseVideoRequest } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { planVideo } from './plan-video.ts';

const reading = {
  path: '/videos',
  bytesMax: limits.bodyBytesMax.videos,
  places: ['image.data', 'last_frame.data', 'reference_images.*.data'],
};

/** POST /videos: 200 with the record, while a worker goes on (videos:*). */
export const createVideo = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readMediaJson(service, request, reading);
  let kept = false;
  try {
    const asked = parseVideoRequest(body.value);
    const plan = await planVideo(service, access, asked, { identity, fingerprint: body.fingerprint });
    const answer = await answerCreated(service, plan);
    // What was lifted for a video that exists already is not used.
    kept = answer.headers['idempotency-replayed'] === 'false';
    return answer;
  } finally {
    if (!kept) await body.release();
  }
};
