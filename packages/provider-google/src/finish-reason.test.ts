import { expect, test } from 'vitest';
import { readFinish } from './finish-reason.ts';

test.each([
  ['STOP', 'stop', undefined],
  ['MAX_TOKENS', 'length', undefined],
  ['CONTINUATION', 'length', undefined],
  ...[
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_RECITATION',
  ].map((reason) => [reason, 'content_filter', reason] as const),
  ['OTHER', 'length', 'OTHER'],
  ['NO_IMAGE', 'length', 'NO_IMAGE'],
  ['IMAGE_OTHER', 'length', 'IMAGE_OTHER'],
  ['SOMETHING_NEW', 'length', 'SOMETHING_NEW'],
  ['words of the upstream', 'length', undefined],
] as const)('reads %s of an answer with content as %s', (reason, finish, detail) => {
  expect(readFinish(reason, true)).toEqual({ kind: 'ended', finish, ...(detail === undefined ? {} : { detail }) });
});

test.each(['OTHER', 'NO_IMAGE', 'SOMETHING_NEW'])('takes %s without content for a refusal', (reason) => {
  expect(readFinish(reason, false)).toEqual({ kind: 'ended', finish: 'content_filter', detail: reason });
});

test.each(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'])(
  'takes %s for a failure',
  (reason) => {
    expect(readFinish(reason, true)).toEqual({ kind: 'failed', reason });
  },
);
