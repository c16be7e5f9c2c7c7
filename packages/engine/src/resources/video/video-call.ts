import { NotExecuted, type BlobPart, type VideoCall } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { readBlob } from '../../operations/pending-blobs.ts';
import type { Work } from '../../workers/work-kind.ts';
import { toMediaPart, type StoredMedia } from '../stored-media.ts';
import type { ModelRoute } from '../model-route.ts';
import { videoWork, type VideoOrder } from './video-work.ts';

/** The finished video that is continued. What another provider noted of it means nothing to this one. */
const sourceOf = async (
  engine: Engine,
  id: string,
  { provider }: ModelRoute<string>,
): Promise<NonNullable<VideoCall['extends']>> => {
  const records = await engine.storage.read([{ table: 'resource', id }]);
  const work = videoWork(records.get('resource', id)?.work);
  const medium = work?.phase === 'done' ? work.media[0] : undefined;
  if (work?.phase !== 'done' || medium === undefined)
    throw new NotExecuted({ reason: 'invalid_request', cause: new Error('the video that is continued is gone') });
  const { mimeType, sizeBytes, blobKey } = medium;
  const video: BlobPart = { kind: 'blob', mimeType, sizeBytes, read: () => readBlob(engine, blobKey) };
  return { video, reference: work.provider === provider ? medium.reference : null };
};

const given = <K extends keyof VideoCall>(name: K, value: VideoCall[K] | null): Partial<Pick<VideoCall, K>> => {
  const pair: Partial<Pick<VideoCall, K>> = {};
  if (value !== null) pair[name] = value;
  return pair;
};

/** The order as a provider takes it. Throws `NotExecuted` where something that it needs has gone meanwhile. */
export const toVideoCall = async (
  engine: Engine,
  { operation }: Work,
  order: VideoOrder,
  route: ModelRoute<string>,
): Promise<VideoCall> => {
  const owner = { projectId: operation.projectId, provider: route.provider };
  const part = (media: StoredMedia) => toMediaPart(engine, owner, media);
  const references = await Promise.all(
    order.references.map(async ({ media, type }) => ({ media: await part(media), type })),
  );
  return {
    operationId: operation.id,
    upstreamModel: route.upstreamModel,
    prompt: order.prompt,
    ...given('image', order.image === null ? null : await part(order.image)),
    ...given('lastFrame', order.lastFrame === null ? null : await part(order.lastFrame)),
    ...given('references', references.length === 0 ? null : references),
    ...given('extends', order.extends === null ? null : await sourceOf(engine, order.extends, route)),
    ...given('durationSeconds', order.durationSeconds),
    ...given('resolution', order.resolution),
    ...given('aspectRatio', order.aspectRatio),
    ...given('negativePrompt', order.negativePrompt),
    ...given('seed', order.seed),
  };
};
