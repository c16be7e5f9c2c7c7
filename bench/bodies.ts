import { crc32, deflateSync } from 'node:zlib';
import { createHash } from 'node:crypto';

/** A conversation of about so many bytes: words, not one letter, as a tokenizer or a compressor would see it. */
const textOf = (chars: number): string => {
  const words = 'the gateway reserves credits before it asks a model and settles what was measured after'.split(' ');
  let text = '';
  for (let at = 0; text.length < chars; at += 1) text += `${words[(at * 7) % words.length]} `;
  return text.slice(0, chars);
};

const systemText = 'You are a helpful assistant. Answer in one sentence.';
/** Characters of the user's messages that make a body of 2 KB. */
const shortTextChars = 1_750;

/** A chat of 2 KB: a system message, a question, an answer and a question. */
export const shortChat = (model: string): string =>
  JSON.stringify({
    model,
    messages: [
      { role: 'system', content: systemText },
      { role: 'user', content: textOf(shortTextChars / 2) },
      { role: 'assistant', content: 'It does so in one durable step.' },
      { role: 'user', content: textOf(shortTextChars / 2) },
    ],
    temperature: 0.2,
  });

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** Bytes that no compressor makes smaller, the same in every run. */
const noise = (bytes: number): Buffer => {
  const blocks: Buffer[] = [];
  for (let at = 0; at * 32 < bytes; at += 1) blocks.push(createHash('sha256').update(String(at)).digest());
  return Buffer.concat(blocks).subarray(0, bytes);
};

const rgbBytes = 3;

/** A valid PNG of `side` times `side` pixels of noise. */
const noisePng = (side: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits a sample, colour type 2.
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = noise(side * (1 + side * rgbBytes));
  for (let row = 0; row < side; row += 1) pixels[row * (1 + side * rgbBytes)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels, { level: 0 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Pixels a side that make a chat of 1.9 MB. */
const largeSide = 688;

/** A chat of 1.9 MB: a question about an inline PNG. */
export const imageChat = (model: string): string => {
  const url = `data:image/png;base64,${noisePng(largeSide).toString('base64')}`;
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
  ];
  return JSON.stringify({ model, messages: [{ role: 'user', content }] });
};
