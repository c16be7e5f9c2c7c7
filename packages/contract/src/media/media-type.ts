import type { MediaKind } from './sniff-media.ts';

export interface MediaType {
  /** The name handed to providers, whichever alias the client wrote. */
  readonly mimeType: string;
  /** The kind that the first bytes must have; null for text, which has no magic bytes. */
  readonly kind: MediaKind | null;
}

const type = (mimeType: string, kind: MediaKind | null): MediaType => Object.freeze({ mimeType, kind });

const wav = type('audio/wav', 'wav');
const mp3 = type('audio/mpeg', 'mp3');
const audioMp4 = type('audio/mp4', 'mp4');
const aac = type('audio/aac', 'aac');
const ogg = type('audio/ogg', 'ogg');
const flac = type('audio/flac', 'flac');
const videoMp4 = type('video/mp4', 'mp4');
const webm = type('video/webm', 'webm');
const quicktime = type('video/quicktime', 'quicktime');
const png = type('image/png', 'png');
const jpeg = type('image/jpeg', 'jpeg');
const webp = type('image/webp', 'webp');
const pdf = type('application/pdf', 'pdf');
const text = type('text/plain', null);

// chat:part:file-media
/** Every media type accepted inline, in lower case, aliases included. */
export const mediaTypes: ReadonlyMap<string, MediaType> = new Map([
  ['audio/wav', wav],
  ['audio/x-wav', wav],
  ['audio/wave', wav],
  ['audio/mpeg', mp3],
  ['audio/mp3', mp3],
  ['audio/mp4', audioMp4],
  ['audio/m4a', audioMp4],
  ['audio/x-m4a', audioMp4],
  ['audio/aac', aac],
  ['audio/ogg', ogg],
  ['audio/flac', flac],
  ['audio/x-flac', flac],
  ['video/mp4', videoMp4],
  ['video/webm', webm],
  ['video/quicktime', quicktime],
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
  ['application/pdf', pdf],
  ['text/plain', text],
]);

/** The same without aliases, for error messages. */
export const acceptedMediaTypes: readonly string[] = [
  ...new Set([...mediaTypes.values()].map(({ mimeType }) => mimeType)),
];

// chat:part:image-data-url
/** The three types that an image part may declare. */
export const imageTypes: ReadonlyMap<string, MediaType> = new Map([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
]);

// chat:part:input-audio-formats
/** The values of input_audio.format. */
export const audioFormats: ReadonlyMap<string, MediaType> = new Map([
  ['wav', wav],
  ['mp3', mp3],
  ['aac', aac],
  ['ogg', ogg],
  ['flac', flac],
  ['mp4', audioMp4],
  ['m4a', audioMp4],
]);

// chat:part:file-data-url
/** File name endings from which the type of bare base64 is known. */
export const mediaTypeByExtension: ReadonlyMap<string, MediaType> = new Map([
  ['wav', wav],
  ['mp3', mp3],
  ['m4a', audioMp4],
  ['aac', aac],
  ['ogg', ogg],
  ['oga', ogg],
  ['flac', flac],
  ['mp4', videoMp4],
  ['webm', webm],
  ['mov', quicktime],
  ['png', png],
  ['jpg', jpeg],
  ['jpeg', jpeg],
  ['webp', webp],
  ['pdf', pdf],
  ['txt', text],
]);
