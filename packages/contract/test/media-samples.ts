/** The smallest bytes that each accepted kind of file may have, for tests. */
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

const png = hex(
  '89504e470d0a1a0a 0000000d49484452 00000001000000010806000000 1f15c489' +
    '0000000d49444154 789c6360000002000001e221bc33 00000000 0000000049454e44ae426082',
);
const jpeg = hex(`ffd8ffe000104a46494600010100000100010000 ffda0008010100003f00 ${'12'.repeat(40)} ffd9`);

const riff = (form: string, body: Buffer): Buffer => {
  const head = Buffer.from(`RIFF....${form}`, 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
};
const box = (brand: string): Buffer => Buffer.concat([hex('00000018'), Buffer.from(`ftyp${brand}`), Buffer.alloc(48)]);

export const webpBytes = riff('WEBP', Buffer.concat([Buffer.from('VP8L'), hex('05000000 2f0000000000')]));
export const pngBytes = png;
export const jpegBytes = jpeg;

/** Base64 by kind; `zip` and `gif` are of no accepted kind. */
export const samples = {
  png: base64(png),
  jpeg: base64(jpeg),
  webp: base64(webpBytes),
  wav: base64(riff('WAVE', Buffer.alloc(36))),
  mp3: base64(Buffer.concat([Buffer.from('ID3'), hex('0400000000000a'), Buffer.alloc(20)])),
  mp3Frames: base64(Buffer.concat([hex('fffb9064'), Buffer.alloc(60)])),
  aac: base64(Buffer.concat([hex('fff15080'), Buffer.alloc(60)])),
  ogg: base64(Buffer.concat([Buffer.from('OggS'), Buffer.alloc(40)])),
  flac: base64(Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(40)])),
  mp4: base64(box('isom')),
  m4a: base64(box('M4A ')),
  quicktime: base64(box('qt  ')),
  heic: base64(box('heic')),
  webm: base64(hex(`1a45dfa3 01000000 0000001f 4286810142f7810142f2810442f381084282847765626d ${'00'.repeat(20)}`)),
  matroska: base64(hex(`1a45dfa3 a3 4286810142f7810142f2810442f38108428288 6d6174726f736b61 ${'00'.repeat(20)}`)),
  pdf: base64(Buffer.from('%PDF-1.7\n%%EOF\n')),
  text: base64(Buffer.from('plain words, ação')),
  gif: base64(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(40)])),
  zip: base64(Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(40)])),
} as const;

export const toBase64 = base64;
