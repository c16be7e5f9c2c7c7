import type { GenerationCall, Part } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { estimateGeneration, estimateInput, estimateOutput } from './estimate.ts';
import type { BoundRow } from './unit-bounds.ts';

/** A model of text whose context has no limit. */
const textRow: BoundRow = { family: 'text', capabilities: [], contextTokens: 0 };

const call = (parts: readonly Part[], change: Partial<GenerationCall> = {}): GenerationCall =>
  // The estimate looks at these fields only.
  ({
    contents: [{ role: 'user', parts }],
    systemInstruction: null,
    tools: [],
    responseFormat: { kind: 'text' },
    outputTokensMax: 100,
    ...change,
  }) as unknown as GenerationCall;

const inputOf = (generation: GenerationCall): number =>
  estimateGeneration(generation, textRow).find(({ unit }) => unit === 'input_text_tokens')?.quantity ?? -1;

/** What a call of this part alone has beside text. */
const mediaOf = (part: Part) => estimateInput(call([part])).find(({ unit }) => unit !== 'input_text_tokens');

/** What parts add to a call without any. */
const tokensOf = (...parts: readonly Part[]): number => inputOf(call(parts)) - inputOf(call([]));

const media = (mimeType: string, bytes: number): Part => ({
  kind: 'media',
  mimeType,
  data: 'A'.repeat((bytes * 4) / 3),
});

describe('the estimate', () => {
  test('is the input from above and the whole output that is allowed [ledger:hold:estimate]', () => {
    const [input, output] = estimateGeneration(call([{ kind: 'text', text: 'hello' }]), textRow);
    expect(input?.unit).toBe('input_text_tokens');
    expect(output).toEqual({ unit: 'output_text_tokens', quantity: 100 });
  });

  test('counts text by its bytes, rounded up', () => {
    expect(tokensOf({ kind: 'text', text: 'abcd' })).toBe(1);
    expect(tokensOf({ kind: 'text', text: 'abcde' })).toBe(2);
    expect(tokensOf({ kind: 'text', text: 'ääää' })).toBe(2);
    expect(tokensOf({ kind: 'text', text: '' })).toBe(0);
  });

  test('counts media by kind: an image as one price, sound, video and documents by size', () => {
    expect(mediaOf(media('image/png', 3))).toEqual({ unit: 'input_image_tokens', quantity: 2_600 });
    expect(mediaOf(media('image/png', 300_000))).toEqual({ unit: 'input_image_tokens', quantity: 2_600 });
    expect(mediaOf(media('audio/mpeg', 3_000))).toEqual({ unit: 'input_audio_tokens', quantity: 150 });
    expect(mediaOf(media('video/mp4', 15_000))).toEqual({ unit: 'input_video_tokens', quantity: 375 });
    expect(mediaOf(media('application/pdf', 600))).toEqual({ unit: 'input_document_tokens', quantity: 150 });
    const blob: Part = { kind: 'blob', mimeType: 'video/mp4', sizeBytes: 15_000, read: async function* () {} };
    expect(mediaOf(blob)).toEqual({ unit: 'input_video_tokens', quantity: 375 });
  });

  test('never counts more input than the context holds, and media before text', () => {
    const parts = [{ kind: 'text', text: 'x'.repeat(40_000) } as const, media('video/mp4', 40_000)];
    expect(estimateInput(call(parts), 3_000)).toEqual([
      { unit: 'input_video_tokens', quantity: 1_000 },
      { unit: 'input_text_tokens', quantity: 2_000 },
    ]);
    expect(estimateInput(call(parts), 400)).toEqual([
      { unit: 'input_video_tokens', quantity: 400 },
      { unit: 'input_text_tokens', quantity: 0 },
    ]);
  });

  test('takes the output for the most expensive kind that was asked for', () => {
    expect(estimateOutput(call([], { modalities: ['text', 'image'] }))).toEqual([
      { unit: 'output_image_tokens', quantity: 100 },
    ]);
    expect(estimateOutput(call([], { modalities: ['audio'] }))).toEqual([
      { unit: 'output_audio_tokens', quantity: 100 },
    ]);
  });

  test('counts calls of functions and what came of them', () => {
    const proposed: Part = { kind: 'function_call', id: 'c', name: 'find', arguments: '{"a":1}' };
    expect(tokensOf(proposed)).toBe(3);
    expect(tokensOf({ ...proposed, context: 'x'.repeat(40) })).toBe(13);
    expect(tokensOf({ kind: 'function_response', id: 'c', name: 'find', response: '{"b":[2]}' })).toBe(4);
  });

  test('counts every message, the instruction and what was declared', () => {
    const one = call([]);
    expect(inputOf({ ...one, contents: [...one.contents, ...one.contents] }) - inputOf(one)).toBe(8);
    expect(inputOf({ ...one, systemInstruction: 'x'.repeat(40) }) - inputOf(one)).toBe(10);
    const tools = [{ name: 'find', description: 'x'.repeat(400), parameters: {} }] as never;
    expect(inputOf({ ...one, tools }) - inputOf(one)).toBeGreaterThanOrEqual(100);
  });
});
