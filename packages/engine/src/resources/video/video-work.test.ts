import { expect, test } from 'vitest';
import { orderMedia, type VideoOrder } from './video-work.ts';

const media = (id: string) => ({ kind: 'blob', blobKey: id, mimeType: 'image/png', sizeBytes: 1 }) as const;

test('the media of an order are its frames and its references', () => {
  const order: VideoOrder = {
    prompt: null,
    image: media('first'),
    lastFrame: media('last'),
    references: [{ media: media('reference'), type: 'asset' }],
    extends: null,
    durationSeconds: null,
    resolution: null,
    aspectRatio: null,
    negativePrompt: null,
    seed: null,
  };
  expect(orderMedia(order)).toEqual([media('first'), media('last'), media('reference')]);
  expect(orderMedia({ ...order, image: null, lastFrame: null, references: [] })).toEqual([]);
});
