import type { BlobPart, JsonObject, MediaPart, VideoCall } from '@tollgate/provider';
import { base64Of } from '@tollgate/provider-http';

type ImageMedia = MediaPart | BlobPart;

const toImage = (media: ImageMedia): JsonObject => ({
  bytesBase64Encoded: media.kind === 'media' ? media.data : base64Of(media),
  mimeType: media.mimeType,
});

const given = (name: string, value: unknown): JsonObject => (value === undefined ? {} : { [name]: value });

const toInstance = ({ prompt, image, lastFrame, references, extends: source }: VideoCall): JsonObject => ({
  prompt: prompt ?? undefined,
  ...given('image', image && toImage(image)),
  ...given('lastFrame', lastFrame && toImage(lastFrame)),
  ...given(
    'referenceImages',
    references?.map(({ media, type }) => ({ image: toImage(media), referenceType: type })),
  ),
  ...(source === undefined ? {} : { video: { uri: source.reference } }),
});

/** The body of `predictLongRunning`: one video for each call. Images are read while it is sent. */
export const toGoogleVideo = (call: VideoCall): JsonObject => ({
  instances: [toInstance(call)],
  parameters: {
    sampleCount: 1,
    ...given('aspectRatio', call.aspectRatio),
    ...given('resolution', call.resolution),
    ...given('durationSeconds', call.durationSeconds),
    ...given('negativePrompt', call.negativePrompt),
    ...given('seed', call.seed),
  },
});

/** Why a video cannot be asked for here; undefined where it can. */
export const cannotMake = ({ extends: source }: VideoCall): string | undefined =>
  source?.reference === null ? 'only a video of this upstream can be continued' : undefined;
