/** So many characters of a piece, at its beginning, are digits that say when it was sent. */
export const stampChars = 12;
const stampAt = '"data":"';

/** Of 20 ms. */
const audioBytes = 640;
const audio = Buffer.alloc(audioBytes, 0x5a).toString('base64').slice(stampChars);

/** What a client says fifty times a second. */
export const clientAudio = `{"realtimeInput":{"audio":{"data":"${'0'.repeat(stampChars)}${audio}","mimeType":"audio/pcm;rate=16000"}}}`;

const part = `{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":"${'0'.repeat(stampChars)}${audio}"}}`;
/** What the model answers to each piece: as much again. */
export const modelAudio = `{"serverContent":{"modelTurn":{"role":"model","parts":[${part}]}}}`;

/** Where in a message its stamp begins; -1 where it holds no audio. */
export const stampOf = (message: string): number => {
  const at = message.indexOf(stampAt);
  return at === -1 ? -1 : at + stampAt.length;
};
