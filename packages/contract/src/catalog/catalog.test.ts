import { expect, test } from 'vitest';
import { defaultCatalog } from './catalog.ts';
import { modelFamilies, routeFamilies } from './model-family.ts';

const ids =
  `flash-2.5, pro-2.5, flash-2.5-preview-tts, pro-2.5-preview-tts, open-4-26b-a4b-it, open-4-31b-it, flash-latest,
flash-lite-latest, pro-latest, flash-lite-2.5, flash-2.5-image, flash-3-preview, pro-3.1-preview,
pro-3.1-preview-customtools, flash-lite-3.1-preview, flash-lite-3.1, pro-3-image-preview, pro-3-image, image-pro-preview,
flash-3.1-image-preview, flash-3.1-image, flash-lite-3.1-image, flash-3.5, flash-lite-3.5, omni-flash-preview,
omni-1.1-flash, 3.5-transcribe, flash-3.6, flash-3.7, flash-3.8, music-3-clip-preview, music-3-pro-preview, music-3.5,
flash-3.1-tts-preview, robotics-er-2-preview, 2.5-computer-use-preview-10-2025, antigravity-preview-05-2026,
deep-research-max-preview-04-2026, deep-research-preview-04-2026, deep-research-pro-preview-12-2025, embedding-001,
embedding-2-preview, embedding-2, aqa, video-3.1-generate-preview, video-3.1-fast-generate-preview,
video-3.1-lite-generate-preview, 3.5-transcribe-live, flash-2.5-native-audio-latest,
flash-2.5-native-audio-preview-09-2025, flash-2.5-native-audio-preview-12-2025, flash-3.1-live-preview,
robotics-er-2-streaming-preview, 3.5-live-translate-preview, music-realtime-exp`.split(/,\s+/);

const idsOf = (family: string): readonly string[] =>
  defaultCatalog.filter((row) => row.family === family).map(({ id }) => id);
const routesOf = (id: string): readonly string[] => defaultCatalog.find((row) => row.id === id)?.routes ?? [];

test('holds exactly the 55 ids of the contract [catalog:ids:list]', () => {
  expect(ids).toHaveLength(55);
  expect(defaultCatalog.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test('gives every row one of eight families and routes that exist [catalog:family:vocabulary]', () => {
  expect(modelFamilies).toHaveLength(8);
  for (const row of defaultCatalog) {
    expect(modelFamilies, row.id).toContain(row.family);
    expect(row.routes.length, row.id).toBeGreaterThan(0);
    for (const route of row.routes) expect(routeFamilies, row.id).toContain(route);
  }
});

test('serves the flash, pro and open ids on chat [catalog:family:text]', () => {
  const plain = ids.filter((id) => /^(?:flash|pro|open)-/.test(id) && !/image|tts|audio|live/.test(id));
  expect(plain).toHaveLength(18);
  for (const id of plain) {
    expect(idsOf('text')).toContain(id);
    expect(routesOf(id), id).toContain('chat');
  }
});

test('counts the 7 image ids as image generation, served by generate', () => {
  const images = ids.filter((id) => /-image(?:-preview)?$/.test(id) || id === 'image-pro-preview');
  expect(images).toHaveLength(7);
  expect(idsOf('image').toSorted()).toEqual(images.toSorted());
  for (const id of images) expect(routesOf(id)).toContain('generate');
});

test('counts the ids with tts as speech [catalog:family:speech]', () => {
  expect(idsOf('speech').toSorted()).toEqual(['flash-2.5-preview-tts', 'flash-3.1-tts-preview', 'pro-2.5-preview-tts']);
});

test('serves the video ids on videos', () => {
  const videos = ids.filter((id) => id.startsWith('video-'));
  expect(videos).toHaveLength(3);
  for (const id of videos) {
    expect(idsOf('video')).toContain(id);
    expect(routesOf(id)).toEqual(['videos']);
  }
});

test.each(['omni-flash-preview', 'omni-1.1-flash'])('serves %s on interactions only', (id) => {
  expect(idsOf('video')).toContain(id);
  expect(routesOf(id)).toEqual(['interactions']);
});

test('serves the three music ids on interactions', () => {
  const expected = ['music-3-clip-preview', 'music-3-pro-preview', 'music-3.5'];
  expect(idsOf('music').toSorted()).toEqual(expected);
  for (const id of expected) expect(routesOf(id)).toEqual(['interactions']);
});

test('serves the transcription id on interactions', () => {
  const expected = ['3.5-transcribe'];
  expect(idsOf('transcription').toSorted()).toEqual(expected);
  for (const id of expected) expect(routesOf(id)).toEqual(['interactions']);
});

test('serves the three embedding ids on embeddings', () => {
  const expected = ['embedding-001', 'embedding-2', 'embedding-2-preview'];
  expect(idsOf('embedding').toSorted()).toEqual(expected);
  for (const id of expected) expect(routesOf(id)).toEqual(['embeddings']);
});

test('serves the eight realtime ids on live', () => {
  const expected = [
    '3.5-live-translate-preview',
    '3.5-transcribe-live',
    'flash-2.5-native-audio-latest',
    'flash-2.5-native-audio-preview-09-2025',
    'flash-2.5-native-audio-preview-12-2025',
    'flash-3.1-live-preview',
    'music-realtime-exp',
    'robotics-er-2-streaming-preview',
  ];
  expect(idsOf('realtime').toSorted()).toEqual(expected);
  for (const id of expected) expect(routesOf(id)).toEqual(['live']);
});

test('marks and describes every preview as subject to change [catalog:preview:subject-to-change]', () => {
  for (const row of defaultCatalog) {
    expect(row.preview, row.id).toBe(row.id.includes('preview'));
    expect(row.profile.includes('subject to change'), row.id).toBe(row.preview);
  }
});

test('gives every row an upstream id of its own and marks the agents', () => {
  expect(new Set(defaultCatalog.map(({ upstreamId }) => upstreamId)).size).toBe(55);
  const agents = defaultCatalog.filter(({ upstreamKind }) => upstreamKind === 'agent').map(({ id }) => id);
  expect(agents.toSorted()).toEqual([
    'antigravity-preview-05-2026',
    'deep-research-max-preview-04-2026',
    'deep-research-preview-04-2026',
    'deep-research-pro-preview-12-2025',
  ]);
});

test.each([
  ['flash-2.5', 'gemini-2.5-flash'],
  ['flash-lite-3.1', 'gemini-3.1-flash-lite'],
  ['flash-latest', 'gemini-flash-latest'],
  ['open-4-26b-a4b-it', 'gemma-4-26b-a4b-it'],
  ['image-pro-preview', 'nano-banana-pro-preview'],
  ['omni-1.1-flash', 'gemini-omni-1.1-flash'],
  ['music-3.5', 'lyria-3.5'],
  ['aqa', 'aqa'],
])('maps %s to %s', (id, upstreamId) => {
  expect(defaultCatalog.find((row) => row.id === id)?.upstreamId).toBe(upstreamId);
});

test('names no upstream vendor in a field that clients see [versioning:neutral-names]', () => {
  for (const { upstreamId: _, ...visible } of defaultCatalog) {
    expect(JSON.stringify(visible)).not.toMatch(/gemini|google|openai|gpt|anthropic|claude|gemma|veo|lyria|imagen/i);
  }
});

test('offers neither audio nor code execution on the open models [catalog:release:tools-per-model]', () => {
  for (const row of defaultCatalog.filter(({ id }) => id.startsWith('open-'))) {
    expect(row.capabilities).toEqual(['chat', 'image_input', 'structured_output', 'functions']);
  }
});
