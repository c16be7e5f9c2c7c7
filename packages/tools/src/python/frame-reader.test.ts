import { expect, test } from 'vitest';
import { createFrameReader, frameForm, type Received } from './frame-reader.ts';

const token = Buffer.from('0123456789abcdef');
const limits = {
  outputBytesMax: 100,
  errorBytesMax: 10,
  filesMax: 3,
  filesBytesMax: 50,
  pathBytesMax: 5,
  snapshotBytesMax: 0,
};

const frame = (kind: string, body: Uint8Array | string, length = Buffer.byteLength(body)): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([token, Buffer.from(kind), size, Buffer.from(body)]);
};
const times = (count: number, one: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => one));

/** What the reader has, and whether it refused the bytes, given in chunks of that length. */
const read = (bytes: Buffer, chunkBytes = bytes.byteLength) => {
  const reader = createFrameReader(limits, token);
  try {
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) reader.take(bytes.subarray(at, at + chunkBytes));
  } catch (cause) {
    return { ...reader.received(), refusal: String(cause) };
  }
  return { ...reader.received(), refusal: undefined };
};

const shown = ({ output, errors, files, end, framesHandled, bytesHandled }: Received) => ({
  output: Buffer.from(output).toString(),
  errors: Buffer.from(errors).toString(),
  files: files.map((body) => Buffer.from(body).toString()),
  end: end === undefined ? undefined : Buffer.from(end).toString(),
  framesHandled,
  bytesHandled,
});

const orderly = Buffer.concat([
  frame('o', 'one '),
  frame('e', 'oh'),
  frame('o', 'two'),
  frame('f', '\0\u0001abody'),
  frame('d', '\u0007'),
]);

test('merges text by stream and keeps files and the end, however the bytes are cut', () => {
  const expected = { output: 'one two', errors: 'oh', files: ['\0\u0001abody'], end: '\u0007' };
  for (let chunkBytes = 1; chunkBytes <= orderly.byteLength; chunkBytes += 1) {
    const found = read(orderly, chunkBytes);
    expect(shown(found)).toEqual({ ...expected, framesHandled: 5, bytesHandled: orderly.byteLength });
    expect(found.refusal).toBeUndefined();
  }
});

test('keeps nothing of a frame that is not there as a whole', () => {
  for (const kind of ['o', 'e', 'f', 'd']) {
    const found = read(Buffer.concat([frame('o', 'a'), frame(kind, 'beg', 9)]));
    expect(shown(found)).toMatchObject({ output: 'a', errors: '', files: [], end: undefined, framesHandled: 1 });
  }
});

const flood = 10_000;
test.each([
  ['an empty frame', frame('o', ''), 0],
  ['an empty file', frame('f', ''), 0],
  ['no frames of its own', Buffer.concat([Buffer.alloc(16), frame('o', 'x').subarray(16)]), 0],
  ['no frames of its own', Buffer.alloc(frameForm.headBytes), 0],
  ['a frame of an unknown kind', frame('x', 'x'), 0],
  ['too much text', frame('o', 'x'), limits.outputBytesMax],
  ['too much text', frame('e', 'x'), limits.errorBytesMax],
  ['too much text', frame('o', 'x', 2 ** 32 - 1), 0],
  ['too many files', frame('f', 'x'), limits.filesMax],
  ['too many files', frame('f', 'x', 2 ** 32 - 1), 0],
  ['something after its end', frame('d', 'x'), 1],
  ['too long an end', frame('d', 'x', 2 ** 32 - 1), 0],
  ['too long an end', frame('s', 'x'), 0],
])('refuses %s at the first frame that is beyond, and looks at no byte after it', (reason, one, framesTaken) => {
  const found = read(times(flood, one));
  expect(found.refusal).toContain(reason === 'an empty file' ? 'an empty frame' : reason);
  expect(found.framesHandled).toBe(framesTaken);
  expect(found.bytesHandled).toBe(framesTaken * one.byteLength + frameForm.headBytes);
});

test('keeps no more bytes than the limits of each kind together', () => {
  const file = Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(68, 'x')]);
  const refused = read(times(flood, frame('f', file)));
  expect(refused.files.map(({ byteLength }) => byteLength)).toEqual([70]);
  expect(refused.refusal).toContain('too many files');
});
