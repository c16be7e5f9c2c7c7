import { expect, test } from 'vitest';
import { addSent, estimateSent, liveSentOf, nothingSent, sentAfter } from './live-sent.ts';

const base64 = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
const pcm = (mimeType: string, bytes: number) => ({ realtimeInput: { audio: { mimeType, data: base64(bytes) } } });

test('counts text of every kind of message by its bytes', () => {
  const parts = [{ text: 'x'.repeat(40) }, { functionCall: { name: 'f', args: { long: 'y'.repeat(400) } } }];
  expect(liveSentOf({ realtimeInput: { text: 'x'.repeat(40) } })).toEqual({ ...nothingSent, textTokens: 10 });
  // A message costs 8 tokens beside its text.
  expect(liveSentOf({ clientContent: { turns: [{ parts: parts.slice(0, 1) }] } }).textTokens).toBe(18);
  expect(liveSentOf({ clientContent: { turns: [{ parts }] } }).textTokens).toBeGreaterThan(118);
  const response = { id: '1', name: 'f', response: { long: 'z'.repeat(4_000) } };
  expect(liveSentOf({ toolResponse: { functionResponses: [response, response] } }).textTokens).toBeGreaterThan(2_000);
  expect(liveSentOf({ realtimeInput: { activityStart: {} } })).toEqual(nothingSent);
});

test('counts audio by its length, whatever high rate a message names', () => {
  expect(liveSentOf(pcm('audio/pcm', 96_000))).toEqual({ ...nothingSent, audioSeconds: 3 });
  expect(liveSentOf(pcm('audio/pcm;rate=24000', 96_000)).audioSeconds).toBe(2);
  expect(liveSentOf(pcm('audio/pcm;rate=999999', 96_000)).audioSeconds).toBe(1);
  expect(liveSentOf(pcm('audio/pcm;rate=0000', 6)).audioSeconds).toBe(3);
});

test('counts images of a content and frames of a video as estimates do', () => {
  const image = { mimeType: 'image/png', data: 'AAAA' };
  const sent = addSent(
    liveSentOf({ realtimeInput: { video: image } }),
    liveSentOf({ clientContent: { turns: [{ parts: [{ inlineData: image }, { inlineData: image }] }] } }),
  );
  expect(sent).toMatchObject({ images: 2, videoFrames: 1 });
  expect(estimateSent(sent)).toContainEqual({ unit: 'input_image_tokens', quantity: 5_200 });
  expect(estimateSent(sent)).toContainEqual({
    unit: 'input_video_tokens',
    quantity: 258,
    or: ['input_image_tokens'],
  });
});

test('rounds the audio of a session up once, and not frame by frame', () => {
  // 20 milliseconds, as clients send them.
  const second = Array.from({ length: 50 }, () => liveSentOf(pcm('audio/pcm;rate=16000', 640))).reduce(addSent);
  const quantityOf = (unit: string) => estimateSent(second).find((each) => each.unit === unit)?.quantity;
  expect(quantityOf('input_audio_tokens')).toBeLessThanOrEqual(33);
  expect(quantityOf('input_audio_tokens')).toBeGreaterThanOrEqual(32);
  expect(estimateSent(sentAfter(second, second)).every(({ quantity }) => quantity === 0)).toBe(true);
});

test('what was sent after an earlier sum is what was added to it', () => {
  const earlier = { textTokens: 1, audioSeconds: 2, images: 3, videoFrames: 4 };
  const more = { textTokens: 10, audioSeconds: 20, images: 30, videoFrames: 40 };
  expect(sentAfter(addSent(earlier, more), earlier)).toEqual(more);
});
