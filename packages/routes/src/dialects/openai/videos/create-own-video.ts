import { limits, type VideoRequest } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { oneChunk } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { dropLifted, liftBytes } from '../../../media-json/lift-bytes.ts';
import { readMediaJson, type MediaJsonBody } from '../../../media-json/read-media-json.ts';
import { liftedTextBytesMin } from '../../../media-json/split-media.ts';
import { isFormRequest, readMediaForm } from '../../../multipart/read-media-form.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { createVideoOf, openVideoOf, readVideoBody } from '../../../videos/create-video.ts';
import { planVideo } from '../../../videos/plan-video.ts';
import { isOwnForm, longImageOf, parseExtension, parseVideo, videoFormFields } from './video-body.ts';
import { videoObject, videoWire } from './video-object.ts';

const readForm = (service: Service, request: GatewayRequest, path: string): Promise<MediaJsonBody> =>
  readMediaForm(service, request, { path, bytesMax: limits.bodyBytesMax.videos, fields: videoFormFields });

interface VideoQuestion {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
}

/** Puts a long image of a body of JSON aside, as every long image is; what is put aside goes to `keys`. */
const withLifted = async (service: Service, asked: VideoRequest, keys: string[]): Promise<VideoRequest> => {
  const bytes = longImageOf(asked, liftedTextBytesMin);
  if (bytes === null || asked.image?.kind !== 'data') return asked;
  const data = await liftBytes(service, oneChunk(bytes));
  keys.push(data.key);
  return { ...asked, image: { ...asked.image, data } };
};

const openOwn = async (
  { service, access, request }: VideoQuestion,
  body: MediaJsonBody,
  parse: (body: unknown) => VideoRequest,
): Promise<GatewayResponse> => {
  const keys: string[] = [];
  const release = async (): Promise<void> => {
    await Promise.all([body.release(), dropLifted(service, keys, request.id)]);
  };
  const wire = { name: videoWire, echo: {} };
  const named = { identity: identityOf(request), fingerprint: body.fingerprint, wire };
  const created = await openVideoOf(service, { release }, async () =>
    planVideo(service, access, await withLifted(service, parse(body.value), keys), named),
  );
  return createdAnswer(created, JSON.stringify(videoObject(created.found)));
};

/** POST /videos: a form, or the fields of this wire, else as the contract has it. */
export const createVideoOfEither = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  identityOf(request);
  const question = { service, access, request };
  if (isFormRequest(request)) return openOwn(question, await readForm(service, request, '/videos'), parseVideo);
  const body = await readVideoBody(service, request);
  const isOwn = request.dialect === 'openai' || isOwnForm(body.value);
  return isOwn ? openOwn(question, body, parseVideo) : createVideoOf(service, access, request, body);
};

const extensionPath = '/videos/extensions';

/** POST /videos/extensions: a video that continues another one. */
export const extendVideo = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  identityOf(request);
  const body = isFormRequest(request)
    ? await readForm(service, request, extensionPath)
    : await readMediaJson(service, request, { path: extensionPath, bytesMax: limits.bodyBytesMax.other, places: [] });
  return openOwn({ service, access, request }, body, parseExtension);
};
