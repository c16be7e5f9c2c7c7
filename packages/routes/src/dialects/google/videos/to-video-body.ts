import { listError, refusedValue, type Path } from '@tollgate/contract';
import { checkModelAt, fieldsAt, type Fields } from '../google-fields.ts';
import { videoFileOf } from './video-file.ts';

/** What an instance and the parameters of this dialect are called in the contract. */
const instanceNames = ['prompt', 'image', 'lastFrame', 'referenceImages', 'video'];
const parameterNames: ReadonlyMap<string, string> = new Map([
  ['durationSeconds', 'duration_seconds'],
  ['resolution', 'resolution'],
  ['aspectRatio', 'aspect_ratio'],
  ['negativePrompt', 'negative_prompt'],
  ['seed', 'seed'],
]);

/** An image in one of the forms that these clients write it in. */
const imageAt = (value: unknown, path: Path): Fields => {
  const image = fieldsAt(value, path, ['bytesBase64Encoded', 'mimeType', 'inlineData', 'fileUri', 'uri']);
  const inline = image['inlineData'];
  const { data, mimeType } =
    inline === undefined ? image : fieldsAt(inline, [...path, 'inlineData'], ['data', 'mimeType']);
  const members = {
    data: image['bytesBase64Encoded'] ?? data,
    uri: image['fileUri'] ?? image['uri'],
    mime_type: mimeType,
  };
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
};

const referencesAt = (value: unknown, path: Path): unknown => {
  if (!Array.isArray(value)) throw listError(path, value, [1, 3]);
  return value.map((entry: unknown, place) => {
    const at = [...path, place];
    const { image, referenceType } = fieldsAt(entry, at, ['image', 'referenceType']);
    const type = typeof referenceType === 'string' ? { reference_type: referenceType.toLowerCase() } : {};
    return { ...imageAt(image, [...at, 'image']), ...type };
  });
};

/** The video of the gateway that the address of one names. An address outside of this project is refused, and never asked. */
const sourceAt = (value: unknown, path: Path): string => {
  const { uri } = fieldsAt(value, path, ['uri', 'mimeType', 'encoding']);
  const name = /files\/([0-9a-z]+)(?::download)?(?:\?|$)/.exec(typeof uri === 'string' ? uri : '')?.[1] ?? '';
  const source = videoFileOf(name);
  if (source !== null) return source.id;
  throw refusedValue('unsupported_content', {
    path: [...path, 'uri'],
    value: uri,
    accepted: 'is the uri of a video of this gateway',
  });
};

const instanceAt = (value: unknown, path: Path): Fields => {
  const { prompt, image, lastFrame, referenceImages, video } = fieldsAt(value, path, instanceNames);
  const members = {
    prompt,
    image: image === undefined ? undefined : imageAt(image, [...path, 'image']),
    last_frame: lastFrame === undefined ? undefined : imageAt(lastFrame, [...path, 'lastFrame']),
    reference_images:
      referenceImages === undefined ? undefined : referencesAt(referenceImages, [...path, 'referenceImages']),
    video: video === undefined ? undefined : sourceAt(video, [...path, 'video']),
  };
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
};

const parametersOf = (value: unknown): Fields => {
  if (value === undefined) return {};
  const { sampleCount = 1, ...fields } = fieldsAt(value, ['parameters'], ['sampleCount', ...parameterNames.keys()]);
  if (sampleCount !== 1)
    throw refusedValue('invalid_request', {
      path: ['parameters', 'sampleCount'],
      value: sampleCount,
      accepted: 'is 1: one video in a call',
    });
  return Object.fromEntries(Object.entries(fields).map(([name, member]) => [parameterNames.get(name) ?? name, member]));
};

/** The body of `:predictLongRunning` as one of POST /videos. */
export const fromPredict = (value: unknown, model: string): Fields => {
  const { instances, parameters, model: named } = fieldsAt(value, [], ['instances', 'parameters', 'model']);
  checkModelAt(named, ['model'], model);
  if (!Array.isArray(instances) || instances.length !== 1) throw listError(['instances'], instances, [1, 1]);
  return { model, ...instanceAt(instances[0], ['instances', 0]), ...parametersOf(parameters) };
};
