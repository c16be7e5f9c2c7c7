import type { Part } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { encodeReplayedStream } from './encode-content-stream.ts';
import { createDivisionRecorder, divideParts, parseDivision } from './stream-division.ts';
import { toWireParts } from './to-wire-parts.ts';

const text = (content: string, thought = false): Part => ({
  kind: 'text',
  text: content,
  ...(thought ? { thought: true as const } : {}),
});

const record = (events: readonly (readonly Part[])[], bytesMax = 1_000): string | null => {
  const recorder = createDivisionRecorder(bytesMax);
  for (const event of events) recorder.add(event);
  return recorder.encode(true);
};

const divided = (division: string | null, parts: readonly object[]) => {
  const parsed = parseDivision(division ?? 'null');
  return parsed === null ? null : divideParts(parsed, parts);
};

test('divides an answer as its events were, texts of a part among them', () => {
  const call: Part = { kind: 'function_call', id: 'c', name: 'look', arguments: '{}' };
  const events = [[text('Hm', true), text('On')], [text('e, ')], [text('two')], [call, text('')], [text('end')]];
  const joined = [text('Hm', true), text('One, two'), call, text('end')];
  expect(divided(record(events), toWireParts(joined).parts)).toEqual(events.map((event) => toWireParts(event).parts));
});

test('notes nothing of an answer that was sent whole, and nothing beyond its limit', () => {
  expect(record([])).toBeNull();
  const events = Array.from({ length: 100 }, () => [text('ab')]);
  const noted = record(events, 300) ?? '';
  expect(divided(noted, [{ text: 'ab'.repeat(100) }])).toHaveLength(100);
  expect(noted.length).toBeLessThanOrEqual(300);
  expect(record([...events, ...events], 300)).toBeNull();
});

test('divides nothing by a list that is another answer’s', () => {
  const noted = record([[text('ab')], [text('cd')]]);
  expect(divided(noted, [{ text: 'abc' }])).toBeNull();
  expect(divided(noted, [{ functionCall: {} }])).toBeNull();
  expect(divided(noted, [])).toBeNull();
  expect(divided(noted, [{ text: 'abcd' }, { text: 'e' }])).toBeNull();
  expect(parseDivision('{"events":["a"]}')).toBeNull();
});

test('replays in one event what was not noted, or does not fit', () => {
  // Of an operation a stream tells these alone.
  const operation = { id: 'o', projectId: 'p', model: 'm', answerForm: 'sse', chargedMicros: 0n } as OperationRecord;
  const form = { brand: 'service', google: false, done: true };
  const content = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'abcd' }] }, finishReason: 'STOP', index: 0 }],
  };
  const body = JSON.stringify(content);
  const events = (division: string | null): number =>
    encodeReplayedStream(form, operation, { body, division }).match(/^data: \{"candidates/gm)?.length ?? 0;
  expect(events(record([[text('ab')], [text('cd')]]))).toBe(3);
  expect(events(null)).toBe(1);
  expect(events(record([[text('abcde')]]))).toBe(1);
});

const citing = (content: string, ...urls: readonly string[]): Part => ({
  kind: 'text',
  text: content,
  annotations: urls.map((url) => ({ type: 'url_citation', url })),
});

test('gives each piece of a text the citations that it brought', () => {
  const events = [[text('On')], [citing('e, ', 'a')], [citing('', 'b', 'c')], [text('two')]];
  const recorder = createDivisionRecorder(1_000, () => true);
  for (const event of events) recorder.add(event);
  expect(divided(recorder.encode(true), [citing('One, two', 'a', 'b', 'c')])).toEqual(events);
});

test('counts a text that cites by its bytes: takes as many as allowed, and not one more', () => {
  const events = [[citing('One', 'a')]];
  expect(record(events, 41)).toBe('{"usable":true,"events":[-5],"cited":[[0,1]]}');
  expect(record(events, 40)).toBeNull();
});

test('writes no event for a text that only cites, where citations stand beside the answer', () => {
  const thought: Part = { kind: 'text', text: 'Hm', thought: true };
  const sent = [[thought], [citing('', 'a')], [thought], [text('One')], [citing('', 'b')], [text(', two')]];
  const joined = [thought, citing('', 'a'), thought, citing('One, two', 'b')];
  const written = sent.filter((event) => toWireParts(event).parts.length > 0);
  expect(divided(record(sent), toWireParts(joined).parts)).toEqual(written.map((event) => toWireParts(event).parts));
});
