import { errorTable, GatewayError, limits, parseVideoRequest } from '@tollgate/contract';
import { keptMedia, type Access, type FoundResource } from '@tollgate/engine';
import { clientOrigin } from '../../../client-origin.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { openVideoOf } from '../../../videos/create-video.ts';
import { planVideo } from '../../../videos/plan-video.ts';
import { failureOf } from '../failure-of.ts';
import { videoFileName } from './video-file.ts';
import { fromPredict } from './to-video-body.ts';

const image = 'bytesBase64Encoded';
const inline = 'inlineData.data';
const imagePlaces = ['image', 'lastFrame', 'referenceImages.*.image'];
const places = imagePlaces.flatMap((place) => [`instances.*.${place}.${image}`, `instances.*.${place}.${inline}`]);

/**
 * Where the client finds a video: an address below the one by which it asked. The library of Google finds files in addresses of
 * HTTPS alone, so that by plain HTTP it gets the name.
 */
const uriOf = ({ basePath }: Service, request: GatewayRequest, name: string): string => {
  const origin = clientOrigin(request);
  const namesFiles = request.header('x-goog-api-client') !== null && origin?.startsWith('https:') !== true;
  return namesFiles || origin === null
    ? `files/${name}`
    : `${origin}${basePath}/v1beta/files/${name}:download?alt=media`;
};

/** A video that has failed, or that cannot be had any more; a video whose outcome is unknown runs on. */
const errorOf = (found: FoundResource) => {
  if (found.operation.state !== 'failed') return undefined;
  const { code, message } = failureOf(found);
  return { code: errorTable[code].status, message };
};

const samplesOf = (service: Service, request: GatewayRequest, found: FoundResource) =>
  keptMedia(found.resource).map(({ mimeType }, index) => ({
    video: {
      uri: uriOf(service, request, videoFileName({ id: found.resource.id, index })),
      encoding: mimeType,
    },
  }));

/** A video as the operation that these clients poll. */
const videoOperation = (service: Service, request: GatewayRequest, found: FoundResource): string => {
  const { operation, resource } = found;
  return JSON.stringify({
    name: `models/${resource.model}/operations/${resource.id}`,
    done: operation.endedAtMs !== null,
    error: errorOf(found),
    response:
      operation.state === 'completed'
        ? { generateVideoResponse: { generatedSamples: samplesOf(service, request, found) } }
        : undefined,
  });
};

/** `:predictLongRunning`: POST /videos in another dialect. */
export const createGoogleVideo = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  model: string,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const path = `/models/${model}:predictLongRunning`;
  const body = await readMediaJson(service, request, { path, bytesMax: limits.bodyBytesMax.videos, places });
  const named = { identity, fingerprint: body.fingerprint };
  const created = await openVideoOf(service, body, async () =>
    planVideo(service, access, parseVideoRequest(fromPredict(body.value, model)), named),
  );
  return createdAnswer(created, videoOperation(service, request, created.found));
};

/** `GET models/{model}/operations/{id}`. */
export const getGoogleVideo = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  { id, model }: { readonly id: string; readonly model: string | null },
): Promise<GatewayResponse> => {
  const found = await requireResource(service, access, { kind: 'video', id });
  const { availability } = found.resource;
  const isGone = availability === 'deleted' || availability === 'expired';
  if (isGone || (model !== null && model !== found.resource.model)) throw new GatewayError('not_found');
  return jsonAnswer(videoOperation(service, request, found));
};
