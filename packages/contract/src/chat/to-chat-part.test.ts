import { expect, test } from 'vitest';
import { compatPolicy, parseCompat, parseStrict, refusalOf, withPart } from '../../test/chat-calls.ts';
import { jpegBytes, pngBytes, samples, toBase64, webpBytes } from '../../test/media-samples.ts';

const image = (url: unknown) => ({ type: 'image_url', image_url: { url } });
const audio = (data: unknown, format: unknown) => ({ type: 'input_audio', input_audio: { data, format } });
const file = (fields: object) => ({ type: 'file', file: fields });
const partOf = (part: unknown): unknown => parseStrict(withPart(part)).messages[0]?.content?.[0];
const uuid = '0190a5b2-7c7e-7c3a-9d0e-3a1f5b6c7d8e';

test('takes the four kinds of part and refuses another [chat:message:user-content]', () => {
  const content = [
    { type: 'text', text: 'Look.' },
    image(`data:image/png;base64,${samples.png}`),
    audio(samples.wav, 'wav'),
    file({ file_id: uuid }),
  ];
  expect(parseStrict({ messages: [{ role: 'user', content }] }).messages[0]?.content).toEqual([
    { type: 'text', text: 'Look.' },
    { type: 'media', mimeType: 'image/png', data: samples.png },
    { type: 'media', mimeType: 'audio/wav', data: samples.wav },
    { type: 'file', fileId: uuid },
  ]);
});

test.each([
  { type: 'video_url', video_url: { url: 'x' } },
  { type: 'TEXT', text: 'x' },
  { type: 'text' },
  { type: 'text', text: 5 },
  { text: 'x' },
  {},
  null,
  'x',
  ['x'],
])('refuses the part %j [chat:message:user-content]', (part) => {
  expect(refusalOf(withPart(part))).toMatchObject({ status: 422, code: 'unsupported_content' });
});

test.each(['png', 'jpeg', 'webp'] as const)('takes a %s data URL [chat:part:image-data-url]', (kind) => {
  const part = image(`data:image/${kind};base64,${samples[kind]}`);
  expect(partOf(part)).toEqual({ type: 'media', mimeType: `image/${kind}`, data: samples[kind] });
});

test('takes several images in one message in order [chat:part:image-several]', () => {
  const content = [image(`data:image/png;base64,${samples.png}`), image(`data:image/jpeg;base64,${samples.jpeg}`)];
  expect(parseStrict({ messages: [{ role: 'user', content }] }).messages[0]?.content).toEqual([
    { type: 'media', mimeType: 'image/png', data: samples.png },
    { type: 'media', mimeType: 'image/jpeg', data: samples.jpeg },
  ]);
});

const dataUrl = (kind: string, bytes: Uint8Array): string => `data:image/${kind};base64,${toBase64(bytes)}`;

test.each([
  ['a GIF', `data:image/gif;base64,${samples.gif}`],
  ['a PNG cut before its end', dataUrl('png', pngBytes.subarray(0, -3))],
  ['a PNG cut to its signature', dataUrl('png', pngBytes.subarray(0, 8))],
  ['bytes behind the end of a PNG', dataUrl('png', Buffer.concat([pngBytes, Buffer.from('x')]))],
  ['a JPEG cut before its end', dataUrl('jpeg', jpegBytes.subarray(0, -1))],
  ['a WebP shorter than it says', dataUrl('webp', webpBytes.subarray(0, -2))],
  ['a WebP longer than it says', dataUrl('webp', Buffer.concat([webpBytes, Buffer.alloc(4)]))],
  ['missing base64', `data:image/png,${samples.png}`],
  ['no data', 'data:image/png;base64,'],
  ['bad base64', `data:image/png;base64,${samples.png.slice(0, 60)} ${samples.png.slice(60)}`],
  ['base64 without padding', `data:image/jpeg;base64,${samples.jpeg.replace(/=+$/, '')}x`],
  ['bare base64', samples.png],
  ['another parameter', `data:image/png;name=a;base64,${samples.png}`],
  ['an empty address', ''],
  ['no text', 5],
  ['nothing', undefined],
])('refuses %s as an image [chat:part:image-invalid]', (_, url) => {
  expect(refusalOf(withPart(image(url)))).toMatchObject({
    status: 422,
    code: 'invalid_image',
    message: expect.stringContaining('messages[0].content[0].image_url'),
  });
});

test('takes a JPEG with padding behind its end', () => {
  const padded = dataUrl('jpeg', Buffer.concat([jpegBytes, Buffer.from([0, 0, 0x0a])]));
  expect(partOf(image(padded))).toMatchObject({ mimeType: 'image/jpeg' });
});

test('takes a WebP with one byte of alignment and a type in capitals', () => {
  const aligned = Buffer.concat([webpBytes, Buffer.alloc(1)]);
  expect(partOf(image(`data:IMAGE/WebP;base64,${toBase64(aligned)}`))).toMatchObject({ mimeType: 'image/webp' });
});

test('refuses an image whose bytes are not of the declared type [chat:part:image-type-matches]', () => {
  for (const [declared, actual] of [
    ['png', 'jpeg'],
    ['jpeg', 'webp'],
    ['webp', 'wav'],
  ] as const) {
    expect(refusalOf(withPart(image(`data:image/${declared};base64,${samples[actual]}`))).code).toBe('invalid_image');
  }
});

test.each(['https://example.com/a.png', 'http://example.com/a.png', '//example.com/a.png', 'file:///etc/passwd'])(
  'refuses the remote image %s [chat:part:image-remote-refused]',
  (url) => {
    expect(refusalOf(withPart(image(url)))).toMatchObject({ status: 422, code: 'invalid_image' });
  },
);

test('keeps the detail of an image with the compatibility option only [chat:compat:openai]', () => {
  const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${samples.png}`, detail: 'low' } };
  expect(parseCompat(withPart(part)).messages[0]?.content?.[0]).toMatchObject({ type: 'media', detail: 'low' });
  expect(refusalOf(withPart(part)).code).toBe('unsupported_parameter');
  const other = { type: 'image_url', image_url: { ...part.image_url, detail: 'sharp' } };
  expect(refusalOf(withPart(other), compatPolicy).code).toBe('unsupported_content');
});

test.each([
  ['wav', 'wav', 'audio/wav'],
  ['mp3', 'mp3', 'audio/mpeg'],
  ['mp3', 'mp3Frames', 'audio/mpeg'],
  ['aac', 'aac', 'audio/aac'],
  ['ogg', 'ogg', 'audio/ogg'],
  ['flac', 'flac', 'audio/flac'],
  ['mp4', 'mp4', 'audio/mp4'],
  ['m4a', 'm4a', 'audio/mp4'],
] as const)(
  'takes audio of format %s from the sample %s as %s [chat:part:input-audio-formats]',
  (format, sample, mimeType) => {
    expect(partOf(audio(samples[sample], format))).toEqual({ type: 'media', mimeType, data: samples[sample] });
  },
);

test.each([
  ['an unknown format', samples.wav, 'midi'],
  ['a format in capitals', samples.wav, 'WAV'],
  ['bytes of another kind', samples.mp3, 'wav'],
  ['an image', samples.png, 'mp3'],
  ['bad base64', `${samples.wav}!`, 'wav'],
  ['no data', '', 'wav'],
])('refuses audio with %s [chat:part:input-audio-formats]', (_, data, format) => {
  expect(refusalOf(withPart(audio(data, format)))).toMatchObject({ status: 422, code: 'unsupported_content' });
});

test('reads audio with and without a data URL prefix alike [chat:part:input-audio-shape]', () => {
  expect(partOf(audio(`data:audio/wav;base64,${samples.wav}`, 'wav'))).toEqual(partOf(audio(samples.wav, 'wav')));
  for (const part of [audio(undefined, 'wav'), audio(samples.wav, undefined), { type: 'input_audio' }]) {
    expect(refusalOf(withPart(part))).toMatchObject({ status: 422, code: 'unsupported_content' });
  }
});

test('refuses a file part with both of id and data, or neither [chat:part:file-exactly-one]', () => {
  const data = `data:application/pdf;base64,${samples.pdf}`;
  for (const fields of [{}, { filename: 'a.pdf' }, { file_id: uuid, file_data: data }]) {
    expect(refusalOf(withPart(file(fields)))).toMatchObject({ status: 422, code: 'unsupported_content' });
  }
});

test('reads both forms of a file id alike', () => {
  expect(partOf(file({ file_id: uuid }))).toEqual({ type: 'file', fileId: uuid });
  expect(partOf(file({ file_id: `files/${uuid.toUpperCase()}` }))).toEqual({ type: 'file', fileId: uuid });
});

test('responds to a file id that is no uuid like an unknown one [errors:path:unknown]', () => {
  expect(refusalOf(withPart(file({ file_id: 'file-abc' })))).toMatchObject({ status: 404, code: 'not_found' });
});

test('takes a data URL, or bare base64 with a known file name ending [chat:part:file-data-url]', () => {
  const media = { type: 'media', mimeType: 'application/pdf', data: samples.pdf };
  expect(partOf(file({ file_data: `data:application/pdf;base64,${samples.pdf}` }))).toEqual(media);
  expect(partOf(file({ file_data: samples.pdf, filename: 'a.b.PDF' }))).toEqual({ ...media, filename: 'a.b.PDF' });
  for (const fields of [{ file_data: samples.pdf }, { file_data: samples.pdf, filename: 'pdf' }]) {
    expect(refusalOf(withPart(file(fields)))).toMatchObject({ status: 422, code: 'unsupported_content' });
  }
});

test.each([
  ['audio/wav', 'wav', 'audio/wav'],
  ['audio/x-wav', 'wav', 'audio/wav'],
  ['audio/mpeg', 'mp3', 'audio/mpeg'],
  ['audio/mp3', 'mp3Frames', 'audio/mpeg'],
  ['audio/mp4', 'm4a', 'audio/mp4'],
  ['audio/aac', 'aac', 'audio/aac'],
  ['audio/ogg', 'ogg', 'audio/ogg'],
  ['audio/flac', 'flac', 'audio/flac'],
  ['video/mp4', 'mp4', 'video/mp4'],
  ['video/webm', 'webm', 'video/webm'],
  ['video/quicktime', 'quicktime', 'video/quicktime'],
  ['image/png', 'png', 'image/png'],
  ['image/jpeg', 'jpeg', 'image/jpeg'],
  ['image/webp', 'webp', 'image/webp'],
  ['application/pdf', 'pdf', 'application/pdf'],
  ['text/plain', 'text', 'text/plain'],
  ['text/plain;charset=utf-8', 'text', 'text/plain'],
] as const)('takes a file of type %s from the sample %s [chat:part:file-media]', (declared, sample, mimeType) => {
  const part = file({ file_data: `data:${declared};base64,${samples[sample]}` });
  expect(partOf(part)).toEqual({ type: 'media', mimeType, data: samples[sample] });
});

test.each([
  ['a PDF declared as text', 'text/plain', samples.pdf],
  ['a zip declared as text', 'text/plain', samples.zip],
  ['a zip', 'application/zip', samples.zip],
  ['text that is no UTF-8', 'text/plain', toBase64(Buffer.from('ação', 'latin1'))],
  ['text with a NUL', 'text/plain', toBase64(Buffer.from('a\0b'))],
  ['an empty text', 'text/plain', ''],
  ['MP4 declared as QuickTime', 'video/quicktime', samples.mp4],
  ['Matroska declared as WebM', 'video/webm', samples.matroska],
  ['a still image declared as MP4', 'video/mp4', samples.heic],
  ['a cut PNG', 'image/png', toBase64(pngBytes.subarray(0, -3))],
  ['HTML', 'text/html', samples.text],
])('refuses %s as a file [chat:part:file-media]', (_, declared, data) => {
  const refusal = refusalOf(withPart(file({ file_data: `data:${declared};base64,${data}` })));
  expect(refusal).toMatchObject({ status: 422, code: 'unsupported_content' });
});

test.each([
  { file_url: 'https://example.com/a.pdf' },
  { file_data: 'https://example.com/a.pdf', filename: 'a.pdf' },
  { file_id: 'https://example.com/a.pdf' },
])('refuses the address in %j [chat:part:file-url-refused]', (fields) => {
  expect(refusalOf(withPart(file(fields)))).toMatchObject({ status: 422, code: 'unsupported_content' });
});

test('names an unknown field of a part', () => {
  const part = { ...file({ file_id: uuid }), cache_control: {} };
  expect(refusalOf(withPart(part))).toMatchObject({
    code: 'unsupported_parameter',
    message: expect.stringContaining('messages[0].content[0].cache_control'),
  });
});

test('refuses more parts than a message may hold', () => {
  const content = Array.from({ length: 1001 }, () => ({ type: 'text', text: 'x' }));
  expect(refusalOf({ messages: [{ role: 'user', content }] })).toMatchObject({ status: 422, code: 'input_limit' });
});
