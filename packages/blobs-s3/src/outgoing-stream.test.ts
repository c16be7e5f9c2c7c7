import { expect, test } from 'vitest';
import type { Deadline } from './deadline.ts';
import { createOutgoingStream } from './outgoing-stream.ts';
import { toS3Failure } from './s3-failure.ts';

test('gives the network the whole time again with each piece', async () => {
  let starts = 0;
  const deadline: Deadline = {
    signal: new AbortController().signal,
    start: () => {
      starts += 1;
    },
    stop: () => undefined,
    abort: () => undefined,
    toFailure: toS3Failure,
  };
  const source = ReadableStream.from([new Uint8Array(3), new Uint8Array(4)]).getReader();
  const reader = createOutgoingStream(source, 7, deadline).getReader();
  const startsAfter: number[] = [];
  while (!(await reader.read()).done) startsAfter.push(starts);
  expect(startsAfter).toEqual([1, 2]);
});
