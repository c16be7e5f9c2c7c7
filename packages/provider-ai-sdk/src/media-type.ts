/** Names of types that models know by another name only. */
const aliases: { readonly [mimeType: string]: string } = {
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
};

/** The type without its parameters, in lower case: `audio/L16;rate=24000` is `audio/l16`. */
export const bareMediaType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase();

/** The type as models know it. Parameters stay where the bytes mean nothing without them, as with PCM. */
export const toMediaType = (mimeType: string): string => {
  const bare = bareMediaType(mimeType);
  if (bare === 'audio/l16' || bare === 'audio/pcm') return mimeType;
  return aliases[bare] ?? bare;
};

interface Signature {
  readonly mimeType: string;
  /** Bytes as latin1 text, and where they stand. */
  readonly marks: readonly (readonly [offset: number, bytes: string])[];
}

const imageSignatures: readonly Signature[] = [
  { mimeType: 'image/png', marks: [[0, '\x89PNG\r\n\x1a\n']] },
  { mimeType: 'image/jpeg', marks: [[0, '\xff\xd8\xff']] },
  {
    mimeType: 'image/webp',
    marks: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { mimeType: 'image/gif', marks: [[0, 'GIF8']] },
];

const audioSignatures: readonly Signature[] = [
  {
    mimeType: 'audio/wav',
    marks: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  },
  { mimeType: 'audio/ogg', marks: [[0, 'OggS']] },
  { mimeType: 'audio/flac', marks: [[0, 'fLaC']] },
  { mimeType: 'audio/mpeg', marks: [[0, 'ID3']] },
  { mimeType: 'audio/mp4', marks: [[4, 'ftyp']] },
  ...['\xfb', '\xf3', '\xf2', '\xfa'].map((second) => ({
    mimeType: 'audio/mpeg',
    marks: [[0, `\xff${second}`] as const],
  })),
];

const headBytesMax = 16;

const sniff = (bytes: Buffer, signatures: readonly Signature[]): string | undefined => {
  const head = bytes.toString('latin1', 0, headBytesMax);
  return signatures.find(({ marks }) => marks.every(([offset, mark]) => head.startsWith(mark, offset)))?.mimeType;
};

/** What kind of image these bytes are; undefined where they do not tell. */
export const sniffImage = (bytes: Buffer): string | undefined => sniff(bytes, imageSignatures);

/** What kind of sound these bytes are; undefined where they do not tell, as with PCM. */
export const sniffAudio = (bytes: Buffer): string | undefined => sniff(bytes, audioSignatures);
