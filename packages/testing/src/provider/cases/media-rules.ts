import assert from 'node:assert/strict';
import type { Part } from '@tollgate/provider';
import { answerOf, refusalOf } from '../provider-run.ts';
import type { ProviderUnderTest } from '../provider-under-test.ts';
import type { AnswerRule, AskForAnswer } from './answer-rule.ts';

/** A medium, small enough to travel in a call. */
export interface SampleMedium {
  /** In a title. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

const fromBase64 = (name: string, mimeType: string, data: string): SampleMedium => ({
  name,
  mimeType,
  bytes: Buffer.from(data, 'base64'),
});

export const sampleMedia: readonly SampleMedium[] = [
  fromBase64(
    'an image',
    'image/png',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  fromBase64('audio', 'audio/wav', 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='),
  fromBase64('a video', 'video/mp4', 'AAAAGGZ0eXBtcDQyAAAAAG1wNDJpc29tAAAACG1kYXQ='),
  fromBase64('a PDF', 'application/pdf', 'JVBERi0xLjQKJSVFT0YK'),
  { name: 'a text file', mimeType: 'text/plain', bytes: Buffer.from('probe-words-of-a-file') },
];

const inline = ({ mimeType, bytes }: SampleMedium): Part => ({
  kind: 'media',
  mimeType,
  data: bytes.toString('base64'),
  filename: 'sample',
});

/** In two chunks, as a store may hand them out. */
const inStore = ({ mimeType, bytes }: SampleMedium): Part => ({
  kind: 'blob',
  mimeType,
  sizeBytes: bytes.length,
  filename: 'sample',
  read: async function* read() {
    yield bytes.subarray(0, 5);
    yield await Promise.resolve(bytes.subarray(5));
  },
});

/** Whether the part is carried; else it is refused by name. */
const isCarried = async (
  underTest: ProviderUnderTest,
  ask: AskForAnswer,
  part: Part,
  bytes: Buffer,
): Promise<boolean> => {
  const contents = [{ role: 'user', parts: [{ kind: 'text', text: 'Describe this.' }, part] }] as const;
  const run = await ask(underTest, 'media', { call: { contents } });
  if (run.answer === undefined) {
    const { reason, field } = refusalOf(run);
    assert.deepEqual([reason, field, run.attempts], ['unsupported', 'contents', []], 'not refused by name');
    return false;
  }
  answerOf(run);
  const sent = await underTest.sentBody();
  const isSent = sent.includes(bytes.toString('base64')) || sent.includes(bytes.toString('utf8'));
  assert.ok(isSent, `the upstream is not sent the bytes of a ${part.kind}`);
  return true;
};

/** One rule for each medium. */
export const mediaRules: readonly AnswerRule[] = sampleMedia.map((medium) => ({
  title: `carries ${medium.name}, in the call as in a blob, or refuses it by name`,
  promise: 'P13',
  run: async (underTest, ask) => {
    const isInlineCarried = await isCarried(underTest, ask, inline(medium), medium.bytes);
    const isBlobCarried = await isCarried(underTest, ask, inStore(medium), medium.bytes);
    assert.equal(isBlobCarried, isInlineCarried, 'a blob is carried exactly where the same bytes in the call are');
  },
}));
