/** The smallest bytes of each kind of file that the routes take, in base64. */
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

const riff = (form: string, body: Buffer): Buffer => {
  const head = Buffer.from(`RIFF....${form}`, 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
};
const box = (brand: string): Buffer => Buffer.concat([hex('00000018'), Buffer.from(`ftyp${brand}`), Buffer.alloc(48)]);

export const mediaSamples = {
  png: base64(
    hex(
      '89504e470d0a1a0a 0000000d49484452 00000001000000010806000000 1f15c489' +
        '0000000d49444154 789c6360000002000001e221bc33 00000000 0000000049454e44ae426082',
    ),
  ),
  jpeg: base64(hex(`ffd8ffe000104a46494600010100000100010000 ffda0008010100003f00 ${'12'.repeat(40)} ffd9`)),
  webp: base64(riff('WEBP', Buffer.concat([Buffer.from('VP8L'), hex('05000000 2f0000000000')]))),
  gif: base64(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(40)])),
  wav: base64(riff('WAVE', Buffer.alloc(36))),
  mp3: base64(Buffer.concat([Buffer.from('ID3'), hex('0400000000000a'), Buffer.alloc(20)])),
  aac: base64(Buffer.concat([hex('fff15080'), Buffer.alloc(60)])),
  ogg: base64(Buffer.concat([Buffer.from('OggS'), Buffer.alloc(40)])),
  flac: base64(Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(40)])),
  mp4: base64(box('isom')),
  m4a: base64(box('M4A ')),
  quicktime: base64(box('qt  ')),
  webm: base64(hex(`1a45dfa3 01000000 0000001f 4286810142f7810142f2810442f381084282847765626d ${'00'.repeat(20)}`)),
  pdf: base64(Buffer.from('%PDF-1.7\n%%EOF\n')),
  zip: base64(Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(40)])),
  text: base64(Buffer.from('plain words')),
} as const;
