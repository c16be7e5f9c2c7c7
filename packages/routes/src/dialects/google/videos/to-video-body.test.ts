import { isGatewayError, parseVideoRequest } from '@tollgate/contract';
import { assert, jsonValue, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { fromPredict } from './to-video-body.ts';
import { downloadOf, videoFileName, videoFileOf } from './video-file.ts';

const id = '0190f3a0-0000-7000-8000-00000000000a';
const data = 'AAAA';
const mimeType = 'image/png';

const refusalOf = (value: unknown): string => {
  try {
    parseVideoRequest(fromPredict(value, 'm'));
  } catch (cause) {
    if (isGatewayError(cause)) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
  return 'taken';
};

test('brings an instance and its parameters to the form of the contract', () => {
  const body = {
    instances: [
      {
        prompt: 'A ferry.',
        image: { bytesBase64Encoded: data, mimeType },
        lastFrame: { inlineData: { data, mimeType } },
        referenceImages: [{ image: { fileUri: `files/${id}` }, referenceType: 'STYLE' }],
      },
    ],
    parameters: { sampleCount: 1, durationSeconds: 4, aspectRatio: '16:9', resolution: '720p', seed: 7 },
  };
  expect(fromPredict(body, 'm')).toEqual({
    model: 'm',
    prompt: 'A ferry.',
    image: { data, mime_type: mimeType },
    last_frame: { data, mime_type: mimeType },
    reference_images: [{ uri: `files/${id}`, reference_type: 'style' }],
    duration_seconds: 4,
    aspect_ratio: '16:9',
    resolution: '720p',
    seed: 7,
  });
});

test('names a video by a file that its clients find in an address', () => {
  const name = videoFileName({ id, index: 2 });
  expect(name).toMatch(/^[a-z0-9]+$/);
  expect(videoFileOf(name)).toEqual({ id, index: 2 });
  expect(videoFileOf(id)).toBeNull();
  expect(downloadOf(`/api/v1/ai/files/${name}:download`)).toEqual({ id, index: 2 });
  expect(downloadOf(`/files/${name}`)).toBeNull();
  for (const uri of [`files/${name}`, `https://gateway.example/v1beta/files/${name}:download?alt=media`])
    expect(fromPredict({ instances: [{ video: { uri } }] }, 'm')).toEqual({ model: 'm', video: id });
});

test.each([
  [{}, 'instances'],
  [{ instances: [{}, {}] }, 'instances'],
  [{ instances: [{ prompt: 'A', more: 1 }] }, 'instances[0].more'],
  [{ instances: [{ prompt: 'A' }], parameters: { sampleCount: 2 } }, 'parameters.sampleCount'],
  [{ instances: [{ prompt: 'A' }], parameters: { personGeneration: 'allow_all' } }, 'parameters.personGeneration'],
  [{ instances: [{ image: { gcsUri: 'gs://a' } }] }, 'instances[0].image.gcsUri'],
  [{ instances: [{ image: { inlineData: { data, gcsUri: 'gs://a' } } }] }, 'instances[0].image.inlineData.gcsUri'],
  [{ instances: [{ video: { uri: 'https://elsewhere.example/a.mp4' } }] }, 'instances[0].video.uri'],
  [{ instances: [{ referenceImages: {} }] }, 'instances[0].referenceImages'],
  [{ instances: [{ prompt: 'A' }], model: 'other' }, 'model'],
])('refuses %j by the name of the field', (value, field) => {
  expect(refusalOf(value)).toContain(`The field ${field} `);
});

test('throws nothing but gateway errors for any JSON, and for what resembles a video', () => {
  const odd = jsonValue({ maxDepth: 3 });
  const instance = record({ prompt: odd, image: odd, referenceImages: odd, video: odd }, { requiredKeys: [] });
  const body = oneof(
    odd,
    record({
      instances: oneof(
        odd,
        instance.map((one) => [one]),
      ),
      parameters: odd,
    }),
  );
  assert(
    property(body, (value) => {
      expect(refusalOf(value)).toMatch(/^(?:taken|[a-z_]+: [A-Z])/);
    }),
    { seed: 20_261_125, numRuns: 1_000 },
  );
});
