import { expect, test } from 'vitest';
import { samples } from '../../test/media-samples.ts';
import { parseFileUpload, toDisplayName } from './file-upload.ts';
import { isGatewayError } from '../http/gateway-error.ts';
import type { LiftedData } from '../media/lifted-data.ts';

const body = (change: Readonly<Record<string, unknown>> = {}): unknown => ({
  display_name: 'a.pdf',
  mime_type: 'application/pdf',
  data: samples.pdf,
  ...change,
});

const codeOf = (value: unknown): string => {
  try {
    parseFileUpload(value);
    return 'taken';
  } catch (cause) {
    return isGatewayError(cause) ? `${cause.code} ${cause.message}` : 'another error';
  }
};

test('takes a name, a type and data [files:upload:fields]', () => {
  expect(parseFileUpload(body())).toEqual({
    displayName: 'a.pdf',
    mimeType: 'application/pdf',
    data: samples.pdf,
  });
  expect(parseFileUpload(body({ mime_type: 'audio/X-WAV', data: samples.wav })).mimeType).toBe('audio/wav');
});

test.each([
  ['no data', { data: undefined }, 'invalid_request The field data is missing; accepted is text.'],
  ['no type', { mime_type: undefined }, 'invalid_request The field mime_type is missing; accepted is text.'],
  [
    'no name',
    { display_name: undefined },
    'invalid_request The field display_name is missing; accepted is text of 1 to 512 characters.',
  ],
  ['a number for data', { data: 1 }, 'invalid_request The field data is 1; accepted is text.'],
  [
    'an empty name',
    { display_name: '' },
    'invalid_request The field display_name is empty; accepted is text of 1 to 512 characters.',
  ],
  [
    'a long name',
    { display_name: 'x'.repeat(513) },
    'invalid_request The field display_name is text of 513 characters, which is more than 512; accepted is text of 1 to 512 characters.',
  ],
  [
    'another field',
    { purpose: 'x' },
    'unsupported_parameter The field purpose is not supported; accepted are display_name, mime_type, data.',
  ],
])('refuses %s by name', (_, change, expected) => {
  expect(codeOf(body(change))).toBe(expected);
});

test.each(['***', '', 'AAA', `data:application/pdf;base64,${samples.pdf}`, samples.text.replaceAll('=', '')])(
  'refuses what is no pure base64: %s [files:upload:base64-no-prefix]',
  (data) => {
    expect(codeOf(body({ data }))).toMatch(/^invalid_request .*base64/);
  },
);

test.each([
  ['application/zip', samples.zip],
  ['application/pdf', samples.zip],
  ['text/plain', samples.pdf],
  ['image/png', samples.jpeg],
])('refuses a file that is none of its declared type: %s', (mimeType, data) => {
  expect(codeOf(body({ mime_type: mimeType, data }))).toMatch(/^unsupported_content /);
});

test.each([null, [], 'x', 1])('refuses a body that is no object: %j', (value) => {
  expect(codeOf(value)).toMatch(/^invalid_request /);
});

const lifted = (sizeBytes: number): LiftedData => ({
  kind: 'lifted',
  key: 'media/1',
  sizeBytes,
  sha256: '',
  head: Buffer.from('%PDF-1.7'),
  tail: Buffer.from('%PDF-1.7'),
  isUtf8: true,
  read: () => {
    throw new Error('its bytes are not needed');
  },
});

test('takes 20,971,520 bytes and not one more [files:upload:max-file]', () => {
  expect(codeOf(body({ data: lifted(20_971_520) }))).toBe('taken');
  expect(codeOf(body({ data: lifted(20_971_521) }))).toMatch(/^body_too_large /);
});

test('cuts the names that clients give to what is kept', () => {
  expect(toDisplayName(undefined)).toBe('file');
  expect(toDisplayName(`${'x'.repeat(511)}\u{1f600}`)).toBe(`${'x'.repeat(511)}\ufffd`);
});
