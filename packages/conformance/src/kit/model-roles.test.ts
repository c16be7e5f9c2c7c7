import { expect, test } from 'vitest';
import { jsonOf } from '../wire/json.ts';
import { roleOfModel } from './model-roles.ts';

const roleOf = (id: string, more: object = {}) =>
  roleOfModel(jsonOf({ id, family: 'text', capabilities: [], ...more }));

test.each([
  ['embedding-2', 'embedding'],
  ['video-3.1-generate-preview', 'video'],
  ['omni-1.1-flash', 'omni'],
  ['music-3.5', 'music'],
  ['music-realtime-exp', 'realtime-music'],
  ['3.5-transcribe', 'transcription'],
  ['3.5-transcribe-live', 'realtime'],
  ['flash-2.5-native-audio-latest', 'realtime'],
  ['flash-2.5-preview-tts', 'speech'],
  ['flash-3.1-image-preview', 'image'],
  ['image-pro-preview', 'image'],
])('knows what %s does by its id', (id, role) => {
  expect(roleOf(id)).toBe(role);
});

test('knows models of text by their capability, and others of a host by their family', () => {
  expect(roleOf('mine', { capabilities: ['chat'] })).toBe('chat');
  expect(roleOf('vectors', { family: 'embedding' })).toBe('embedding');
  expect(roleOf('aqa', { capabilities: ['attributed_answers'] })).toBeNull();
});
