import { expect, test } from 'vitest';
import { isRefusalDetail, readRefusalDetail, refusalDetails } from './refusal-detail.ts';

test.each([
  ['messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 7 bytes > 5 bytes', 'image_too_large'],
  ['image_parse_error The image could not be read.', 'image_unreadable'],
  ['Unable to process input image. Please retry.', 'image_unreadable'],
  ['invalid_request_error: Too many images.', 'too_many_images'],
  ['Unsupported MIME type: application/zip', 'media_type'],
  ['The PDF specified was not valid.', 'document_unreadable'],
  ['A maximum of 100 PDF pages may be provided.', 'document_too_large'],
  ['messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a', 'function_results'],
  ["An assistant message with 'tool_calls' must be followed by tool messages.", 'function_results'],
  ['tools.0.custom.input_schema: JSON schema is invalid', 'function_schema'],
  ["Invalid schema for response_format 'a'", 'response_schema'],
  ['content_policy_violation', 'content_policy'],
  ['temperature: range: 0..1', undefined],
])('reads %j as %s', (text, detail) => {
  expect(readRefusalDetail('invalid_request', [], text)).toBe(detail);
  expect(readRefusalDetail('invalid_request', [text], '')).toBe(detail);
  expect(readRefusalDetail('unavailable', [text], text)).toBeUndefined();
});

test('knows its own details and nothing else', () => {
  expect(refusalDetails.every(isRefusalDetail)).toBe(true);
  expect([undefined, null, '', 'toString', 'words of an upstream'].some(isRefusalDetail)).toBe(false);
});
