import {
  GatewayError,
  imageTypes,
  isUuid,
  type CatalogModel,
  type MediaValue,
  type VideoRequest,
} from '@tollgate/contract';
import {
  blobKeysOf,
  findResource,
  openVideo,
  orderMedia,
  videoOrderKeptMs,
  withWire,
  type Access,
  type FoundResource,
  type ResourcePlan,
  type ResourceWire,
  type VideoOrder,
} from '@tollgate/engine';
import { resolveFiles, type ResolvedFiles } from '../files/resolve-files.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { checkFamily, resolveModel, refusalOf } from '../resolve-model.ts';
import type { Service } from '../service.ts';
import { fileIdsOfMedia, storedMediaOf } from '../stored-media-of.ts';

/** Of a model that does not say how long its videos are. */
const durationSecondsDefault = 8;

const checkResolution = ({ video: offer }: CatalogModel, resolution: string | undefined): void => {
  if (offer !== undefined && resolution !== undefined && !offer.resolutions.includes(resolution))
    throw new GatewayError('model_incompatible', {
      detail: `The model does not offer this resolution: it makes ${offer.resolutions.join(', ')}.`,
    });
};

const mediaOf = ({ image, lastFrame, references }: VideoRequest): readonly MediaValue[] => [
  ...(image === undefined ? [] : [image]),
  ...(lastFrame === undefined ? [] : [lastFrame]),
  ...references.map(({ media }) => media),
];

/** What a file is, is known of the file; what the client believes of it must agree. */
const checkFiles = (media: readonly MediaValue[], files: ResolvedFiles): void => {
  for (const one of media) {
    if (one.kind !== 'file') continue;
    const mimeType = files.parts.get(one.fileId)?.mimeType ?? '';
    if (!imageTypes.has(mimeType) || (one.mimeType !== undefined && one.mimeType !== mimeType))
      throw new GatewayError('unsupported_content', {
        detail: 'A file that is named as an image must be PNG, JPEG or WebP, and what its mime_type says.',
      });
  }
};

// videos:extension:source
/** A video is continued by the model that made it, or by one of the same line. */
const continues = (service: Service, model: CatalogModel, source: string): boolean => {
  if (source === model.id) return true;
  const line = service.models.find(source)?.video?.line;
  return line !== undefined && line === model.video?.line;
};

interface Source {
  readonly found: FoundResource | null;
  readonly refusal: ResourcePlan['refusal'];
}

/** The video that is continued. Whether it is finished is decided by the step that opens the operation. */
const findSource = async (service: Service, access: Access, model: CatalogModel, id: string): Promise<Source> => {
  const found = isUuid(id) ? await findResource(service.engine, access.projectId, 'video', id) : null;
  if (found === null) return { found, refusal: 'not_found' };
  return { found, refusal: continues(service, model, found.resource.model) ? null : 'model_incompatible' };
};

/** What is sent is handed on; what is not is what the model makes by itself, as its row in the catalog says. */
const toOrder = (asked: VideoRequest, { video: offer }: CatalogModel): VideoOrder => {
  const alone = asked.video === undefined ? offer : undefined;
  return {
    prompt: asked.prompt ?? null,
    image: asked.image === undefined ? null : storedMediaOf(asked.image),
    lastFrame: asked.lastFrame === undefined ? null : storedMediaOf(asked.lastFrame),
    references: asked.references.map(({ media, type }) => ({ media: storedMediaOf(media), type })),
    extends: asked.video ?? null,
    durationSeconds: asked.duration_seconds ?? alone?.durationSecondsDefault ?? null,
    resolution: asked.resolution ?? alone?.resolutions[0] ?? null,
    aspectRatio: asked.aspect_ratio ?? alone?.aspectRatioDefault ?? null,
    negativePrompt: asked.negative_prompt ?? null,
    seed: asked.seed ?? null,
  };
};

const aspectRatioOf = ({ found }: Source): unknown => {
  const shown = found?.resource.publicFields;
  return typeof shown === 'object' && shown !== null && 'aspect_ratio' in shown ? shown.aspect_ratio : null;
};

// videos:record:fields
/** Never the content, only what a reader needs again. */
const shownOf = (order: VideoOrder, source: Source | null): Readonly<Record<string, unknown>> => ({
  duration_seconds: order.durationSeconds,
  resolution: order.resolution,
  aspect_ratio: order.aspectRatio ?? (source === null ? null : aspectRatioOf(source)),
  ...(order.extends === null ? {} : { video: order.extends }),
});

/** What opens a video beside what it shows. */
export interface VideoNames extends Pick<ResourcePlan, 'identity' | 'fingerprint'> {
  readonly wire?: ResourceWire | undefined;
}

// videos:*
/** Everything that is to be checked and kept of a request for a video. */
export const planVideo = async (
  service: Service,
  caller: Access,
  asked: VideoRequest,
  { wire, ...named }: VideoNames,
): Promise<ResourcePlan> => {
  const resolved = resolveModel(service, caller, asked.model, 'videos');
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: resolved });
  const model = admittedModel(service, access, resolved);
  checkFamily(model, 'videos');
  checkResolution(model, asked.resolution);
  const media = mediaOf(asked);
  const provider = service.models.providerOf(model)?.name ?? '';
  const files = await resolveFiles(service, access, fileIdsOfMedia(media), provider);
  checkFiles(media, files);
  const source = asked.video === undefined ? null : await findSource(service, access, model, asked.video);
  const order = toOrder(asked, model);
  const seconds = order.durationSeconds ?? model.video?.durationSecondsDefault ?? durationSecondsDefault;
  return {
    access,
    kind: 'video',
    model: model.id,
    ...named,
    estimate: [{ unit: 'video_seconds', quantity: seconds }],
    refusal: refusalOf(service, model) ?? source?.refusal ?? null,
    draft: openVideo(order, withWire(shownOf(order, source), wire)),
    uses: source?.found ? [{ id: source.found.resource.id, kind: 'video', model: null, whenCompleted: true }] : [],
    files: files.ids,
    guard: { blobKeys: blobKeysOf(orderMedia(order)), keptMs: videoOrderKeptMs },
  };
};
