/** What the first bytes of a file say it is. */
const mediaKinds = [
  'png',
  'jpeg',
  'webp',
  'wav',
  'mp3',
  'aac',
  'ogg',
  'flac',
  'mp4',
  'webm',
  'quicktime',
  'pdf',
] as const;
export type MediaKind = (typeof mediaKinds)[number];

const ascii = (head: Uint8Array, from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));

/** Still images share the box layout of MP4 and are distinguished by their brand only. */
const stillImageBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'hevc', 'mif1', 'msf1', 'avif', 'avis']);
/** The boxes with which a QuickTime file older than the brand box may begin. */
const quicktimeBoxes: ReadonlySet<string> = new Set(['moov', 'mdat', 'wide', 'free', 'skip']);

const sniffBoxes = (head: Uint8Array): MediaKind | null => {
  const box = ascii(head, 4, 8);
  if (quicktimeBoxes.has(box)) return 'quicktime';
  if (box !== 'ftyp') return null;
  const brand = ascii(head, 8, 12);
  if (brand === 'qt  ') return 'quicktime';
  return stillImageBrands.has(brand) ? null : 'mp4';
};

const sniffRiff = (head: Uint8Array): MediaKind | null => {
  const form = ascii(head, 8, 12);
  if (form === 'WAVE') return 'wav';
  return form === 'WEBP' ? 'webp' : null;
};

/** A frame header of MPEG audio or ADTS: eleven or twelve set bits, then layer, bit rate and sample rate. */
const sniffFrame = (head: Uint8Array): MediaKind | null => {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const reserved = (second & 0x18) === 0x08 || (third & 0xf0) === 0xf0 || (third & 0x0c) === 0x0c;
  return (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 && !reserved ? 'mp3' : null;
};

/** Tells a file's kind from its first bytes (48 are enough), or null when it is none of the accepted ones. */
export const sniffMedia = (head: Uint8Array): MediaKind | null => {
  if (head.length < 4) return null;
  const four = ascii(head, 0, 4);
  if (four === '\x89PNG') return ascii(head, 4, 8) === '\r\n\x1a\n' ? 'png' : null;
  if (four.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (four === 'RIFF') return sniffRiff(head);
  if (four === 'OggS') return 'ogg';
  if (four === 'fLaC') return 'flac';
  if (four === '%PDF') return 'pdf';
  if (four.startsWith('ID3')) return 'mp3';
  if (four === '\x1aE\xdf\xa3') return ascii(head, 4, 48).includes('webm') ? 'webm' : null;
  return sniffBoxes(head) ?? sniffFrame(head);
};
