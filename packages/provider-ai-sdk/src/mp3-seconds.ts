interface Frame {
  readonly bytes: number;
  readonly samples: number;
  readonly samplesPerSecond: number;
}

type Layer = 1 | 2 | 3;

const bitRates: { readonly [version: string]: readonly number[] } = {
  '1.1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1.2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2.1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2.2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2.3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const sampleRates: { readonly [version: number]: readonly number[] } = {
  0: [11_025, 12_000, 8_000],
  2: [22_050, 24_000, 16_000],
  3: [44_100, 48_000, 32_000],
};
const layers: readonly (Layer | undefined)[] = [undefined, 3, 2, 1];
const headerBytes = 4;

const samplesOf = (layer: Layer, isFirstVersion: boolean): number => {
  if (layer === 1) return 384;
  return layer === 3 && !isFirstVersion ? 576 : 1_152;
};

/** The frame whose header stands at `offset`; undefined where there is none. */
const readFrame = (bytes: Buffer, offset: number): Frame | undefined => {
  const [first = 0, second = 0, third = 0] = bytes.subarray(offset, offset + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const version = (second >> 3) & 3;
  const layer = layers[(second >> 1) & 3];
  const samplesPerSecond = sampleRates[version]?.[(third >> 2) & 3];
  if (layer === undefined || samplesPerSecond === undefined) return undefined;
  const kilobits = bitRates[`${version === 3 ? 1 : 2}.${layer}`]?.[third >> 4] ?? 0;
  if (kilobits === 0) return undefined;
  const padding = (third >> 1) & 1;
  const samples = samplesOf(layer, version === 3);
  const slotBytes = layer === 1 ? 4 : 1;
  const slots = Math.floor((samples / 8 / slotBytes) * ((kilobits * 1_000) / samplesPerSecond)) + padding;
  return { bytes: slots * slotBytes, samples, samplesPerSecond };
};

/** Where the first frame may stand: after tags, whose size is written in seven bits a byte. */
const tagBytes = (bytes: Buffer): number => {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = bytes.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0);
  return 10 + size;
};

/** A first frame that holds a table of the others makes no sound. */
const isTable = (frame: Buffer): boolean => {
  const head = frame.toString('latin1', 0, 64);
  return head.includes('Xing') || head.includes('Info') || head.includes('VBRI');
};

/** How long an MP3 lasts, by the headers of its frames; undefined where it has none. */
export const mp3Seconds = (bytes: Buffer): number | undefined => {
  let seconds = 0;
  let frames = 0;
  let offset = tagBytes(bytes);
  while (offset + headerBytes <= bytes.length) {
    const frame = readFrame(bytes, offset);
    if (frame === undefined) {
      offset += 1;
      continue;
    }
    const isFirst = frames === 0;
    frames += 1;
    if (!isFirst || !isTable(bytes.subarray(offset, offset + frame.bytes)))
      seconds += frame.samples / frame.samplesPerSecond;
    offset += frame.bytes;
  }
  return frames === 0 ? undefined : seconds;
};
