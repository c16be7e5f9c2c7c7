import type {
  ImageModelV4,
  ImageModelV4CallOptions,
  ImageModelV4File,
  ImageModelV4Usage,
  JSONValue,
} from '@ai-sdk/provider';
import { asCount, type Generation, type GenerationCall, type MediaPart, type Usage } from '@tollgate/provider';
import { beforeSending } from './before-sending.ts';
import { loadMedia, type LoadedMedia } from './media-bytes.ts';
import { bareMediaType, sniffImage } from './media-type.ts';
import { refuse } from './refuse.ts';
import { runSingleCall, type SingleCall } from './single-call.ts';
import { readSinglePrompt, type SinglePrompt } from './single-prompt.ts';
import type { Vendor } from './vendor.ts';

type ImageSettings = Pick<ImageModelV4CallOptions, 'aspectRatio' | 'providerOptions' | 'seed' | 'size'>;

const isSize = (size: string): size is `${number}x${number}` => /^\d{1,5}x\d{1,5}$/.test(size);
const isAspectRatio = (ratio: string): ratio is `${number}:${number}` => /^\d{1,3}:\d{1,3}$/.test(ratio);

/** Sizes in pixels are every other vendor's, sizes by name (`2K`) are Google's. */
const toSettings = (call: GenerationCall, vendor: Vendor): ImageSettings => {
  const { pixels, ...named } = call.image ?? {};
  const isInPixels = vendor !== 'google' && pixels !== undefined;
  const { aspectRatio, size } = isInPixels ? { aspectRatio: undefined, size: pixels } : named;
  const google: { [name: string]: JSONValue } = {};
  if (size !== undefined && vendor === 'google') google['imageConfig'] = { imageSize: size };
  if (call.safety !== undefined && call.safety.length > 0) {
    google['safetySettings'] = call.safety.map(({ category, threshold }) => ({ category, threshold }));
  }
  const sides = vendor === 'google' ? undefined : size;
  return {
    aspectRatio:
      aspectRatio === undefined || isAspectRatio(aspectRatio) ? aspectRatio : refuse('an aspect ratio', 'image'),
    size: sides === undefined || isSize(sides) ? sides : refuse('a size that is not in pixels', 'image'),
    seed: call.sampling.seed,
    providerOptions: Object.keys(google).length === 0 ? {} : { google },
  };
};

const toFiles = async (
  model: ImageModelV4,
  { media }: SinglePrompt,
  loaded: LoadedMedia,
): Promise<ImageModelV4File[] | undefined> => {
  if (media.length === 0) return undefined;
  if ((await model.supportsFileInputs) !== true) return refuse('images for a model that takes none');
  return media.map((part) => {
    const mediaType = bareMediaType(part.mimeType);
    if (!mediaType.startsWith('image/')) return refuse(`${mediaType} for a model that takes images`);
    return { type: 'file', mediaType, data: part.kind === 'media' ? part.data : (loaded.get(part) ?? '') };
  });
};

const toPart = (image: string | Uint8Array): MediaPart => {
  const data = typeof image === 'string' ? image : Buffer.from(image).toString('base64');
  // A signature is in the first bytes: 24 characters are 18.
  return { kind: 'media', mimeType: sniffImage(Buffer.from(data.slice(0, 24), 'base64')) ?? 'image/png', data };
};

/** Images are counted, unless the model itself counts tokens. */
const toUsage = (images: number, usage: ImageModelV4Usage | undefined): readonly Usage[] => {
  const input = asCount(usage?.inputTokens);
  const output = asCount(usage?.outputTokens);
  if (input === undefined || output === undefined) return [{ unit: 'images', quantity: images, confirmed: true }];
  return [
    { unit: 'input_text_tokens', quantity: input, confirmed: true },
    { unit: 'output_image_tokens', quantity: output, confirmed: true },
  ];
};

/** Generates images, as many as the call asks for. A model that made none refused the prompt. */
export const generateImage = async (single: SingleCall<ImageModelV4>): Promise<Generation> => {
  const { model, call, settings } = single;
  const vendor = settings.vendorOf(model);
  const carried = ['image', 'seed', ...(vendor === 'google' ? (['safety'] as const) : [])] as const;
  const prompt = readSinglePrompt(call, { carried, output: 'image' });
  const options = toSettings(call, vendor);
  const files = await beforeSending(async () =>
    toFiles(model, prompt, await loadMedia(call.contents, settings.mediaBytesMax)),
  );
  const text = prompt.text === '' ? undefined : prompt.text;
  const answer = await runSingleCall(single, async (sending) =>
    model.doGenerate({ prompt: text, n: call.image?.count ?? 1, files, mask: undefined, ...options, ...sending }),
  );
  const parts = answer.images.map(toPart);
  return {
    text: '',
    functionCalls: [],
    parts,
    finish: parts.length === 0 ? 'content_filter' : 'stop',
    usage: toUsage(parts.length, answer.usage),
  };
};
