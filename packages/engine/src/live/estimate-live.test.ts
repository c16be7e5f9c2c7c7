import { expect, test } from 'vitest';
import { estimateLive } from './estimate-live.ts';

const row = { capabilities: [] } as const;
const unitsOf = (...given: Parameters<typeof estimateLive>) => estimateLive(...given).map(({ unit }) => unit);

test('a session of music is estimated by its time alone', () => {
  expect(unitsOf('music', {}, row)).toEqual(['music_seconds', 'session_seconds']);
});

test('a session speaks unless it is to write, and sees where its model does', () => {
  expect(unitsOf('live', {}, row)).toContain('output_audio_tokens');
  const written: Parameters<typeof estimateLive>[1] = { generationConfig: { responseModalities: ['TEXT'] } };
  expect(unitsOf('live', written, row)).toContain('output_text_tokens');
  expect(unitsOf('live', written, row)).not.toContain('output_audio_tokens');
  expect(unitsOf('live', {}, row)).not.toContain('input_video_tokens');
  expect(unitsOf('live', {}, { capabilities: ['video_input'] })).toContain('input_video_tokens');
});
