import { expect, test } from 'vitest';
import { splitTotal } from './split-total.ts';

test('gives the rest what no share has, so that the parts make up the total', () => {
  expect(
    splitTotal(10, 'input_text_tokens', [
      ['cached_input_tokens', 4],
      ['input_audio_tokens', 1],
    ]),
  ).toEqual([
    ['input_text_tokens', 5],
    ['cached_input_tokens', 4],
    ['input_audio_tokens', 1],
  ]);
});

test('never gives shares more than there is, and leaves out those that get nothing', () => {
  expect(
    splitTotal(10, 'output_text_tokens', [
      ['thought_tokens', 0],
      ['output_audio_tokens', 12],
      ['output_image_tokens', 3],
    ]),
  ).toEqual([
    ['output_text_tokens', 0],
    ['output_audio_tokens', 10],
  ]);
});

test('keeps a total of zero as a measurement of the rest', () => {
  expect(splitTotal(0, 'input_text_tokens', [])).toEqual([['input_text_tokens', 0]]);
});
