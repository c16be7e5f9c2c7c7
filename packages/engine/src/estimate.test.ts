import type { GenerationCall, Part } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { estimateGeneration } from './estimate.ts';

const call = (parts: readonly Part[], change: Partial<GenerationCall> = {}): GenerationCall =>
  // The estimate looks at these fields only.
  ({
    contents: [{ role: 'user', parts }],
    systemInstruction: null,
    tools: [],
    responseFormat: null,
    outputTokensMax: 100,
    ...change,
  }) as unknown as GenerationCall;

const inputOf = (generation: GenerationCall): number =>
  estimateGeneration(generation).find(({ unit }) => unit === 'input_text_tokens')?.quantity ?? -1;

/** What parts add to a call without any. */
const tokensOf = (...parts: readonly Part[]): number => inputOf(call(parts)) - inputOf(call([]));

const media = (mimeType: string, bytes: number): Part => ({
  kind: 'media',
  mimeType,
  data: 'A'.repeat((bytes * 4) / 3),
});

describe('the estimate', () => {
  test('is the input from above and the whole output that is allowed [ledger:hold:estimate]', () => {
    const [input, output] = estimateGeneration(call([{ kind: 'text', text: 'hello' }]));
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
    expect(tokensOf(media('image/png', 3))).toBe(2_600);
    expect(tokensOf(media('image/png', 300_000))).toBe(2_600);
    expect(tokensOf(media('audio/mpeg', 3_000))).toBe(150);
    expect(tokensOf(media('video/mp4', 15_000))).toBe(375);
    expect(tokensOf(media('application/pdf', 600))).toBe(150);
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
