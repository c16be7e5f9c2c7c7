import assert from 'node:assert/strict';
import type { Answer, Client } from './client.ts';
import type { UploadedFile } from './media-in.ts';
import { readPng } from './png-image.ts';
import { readWav } from './wav-audio.ts';

/** The bytes of the one part of this type. */
const bytesOf = ({ parts }: Answer, mimeType: string): Buffer => {
  const found = parts.flatMap(({ inlineData }) => (inlineData?.mimeType === mimeType ? [inlineData.data] : []));
  assert.equal(found.length, 1);
  return Buffer.from(found[0] ?? '', 'base64');
};

export const image = async (client: Client): Promise<void> => {
  const answer = await client.generate([{ text: 'A ferry at nine in the morning' }], {
    responseModalities: ['TEXT', 'IMAGE'],
    imageConfig: { aspectRatio: '16:9', imageSize: '1K' },
  });
  const { width, height } = readPng(bytesOf(answer, 'image/png'));
  assert.ok(Math.abs(width / height - 16 / 9) < 0.05, `${width} by ${height}`);
  assert.ok(answer.credits > 0);
};

/** An image that was uploaded is changed: media in and out of one operation. */
export const editedImage = async (client: Client, { file, bytes }: UploadedFile): Promise<void> => {
  const answer = await client.generate([{ fileData: { fileUri: file.name } }, { text: 'Make it brighter' }]);
  const edited = bytesOf(answer, 'image/png');
  assert.deepEqual(readPng(edited), { width: 1_024, height: 1_024 });
  assert.ok(!edited.equals(bytes));
};

export const speech = async (client: Client): Promise<void> => {
  const words = 'The ferry leaves at nine.';
  const speak = async (voiceName: string): Promise<Buffer> => {
    const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName } } };
    const answer = await client.generate([{ text: words }], { responseModalities: ['AUDIO'], speechConfig });
    assert.ok(answer.credits > 0);
    return bytesOf(answer, 'audio/wav');
  };
  const [kore, puck] = [await speak('Kore'), await speak('Puck')];
  const audio = readWav(kore);
  assert.equal(audio.rate, 24_000);
  assert.ok(audio.ms > 1_000 && audio.ms < 10_000, `${audio.ms} ms`);
  assert.ok(audio.peak > 1_000);
  // The same words in another voice last as long, and are another sound.
  assert.equal(puck.length, kore.length);
  assert.ok(!puck.equals(kore));
};
