/** Bytes of UTF-8 that make one token at the least in an ordinary text. */
const textBytesPerToken = 4;
/** What an image is counted as, whatever its size. */
export const tokensPerImage = 2_600;
/** Upstreams count 32 tokens a second of audio: telephone audio without compression has 8,000 bytes a second, */
const wavBytesPerToken = 250;
/** losslessly compressed about 2,000, */
const flacBytesPerToken = 60;
/** and the thinnest ordinary speech 640. */
const audioBytesPerToken = 20;
/** About 300 tokens a second with their sound, of which a video of 96 kbit/s has 12,000 bytes. */
const videoBytesPerToken = 40;
/** A page has 258 tokens or its text. */
const documentBytesPerToken = 4;

const bytesPerToken = (mimeType: string): number => {
  if (mimeType.startsWith('audio/wav')) return wavBytesPerToken;
  if (mimeType.startsWith('audio/flac')) return flacBytesPerToken;
  if (mimeType.startsWith('audio/')) return audioBytesPerToken;
  return mimeType.startsWith('video/') ? videoBytesPerToken : documentBytesPerToken;
};

/** What a piece of text costs in tokens, from above for an ordinary text. */
export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / textBytesPerToken);

/** What media of so many decoded bytes cost in tokens, from above for ordinary files of the type. */
export const mediaTokens = (mimeType: string, bytes: number): number =>
  mimeType.startsWith('image/') ? tokensPerImage : Math.ceil(bytes / bytesPerToken(mimeType));
