import { randomUUID } from 'node:crypto';
import OpenAI, { toFile } from 'openai';

const newKey = () => ({ headers: { 'Idempotency-Key': randomUUID() } });

// #region images
/** Makes an image, then another one of it; returns both as base64. */
export const draw = async (baseURL: string, apiKey: string): Promise<readonly string[]> => {
  const { images } = new OpenAI({ baseURL, apiKey });
  const model = 'flash-3.1-image';
  const first = await images.generate({ model, prompt: 'A ferry at night.', size: '1536x1024' }, newKey());
  const ferry = first.data?.[0]?.b64_json ?? '';
  const image = await toFile(Buffer.from(ferry, 'base64'), 'ferry.png');
  const second = await images.edit({ model, prompt: 'Add a lighthouse.', image }, newKey());
  return [ferry, second.data?.[0]?.b64_json ?? ''];
};
// #endregion images

// #region audio
/** Reads a text aloud, and writes down what was said. */
export const speakAndListen = async (baseURL: string, apiKey: string, input: string): Promise<string> => {
  const { audio } = new OpenAI({ baseURL, apiKey });
  const spoken = await audio.speech.create(
    { model: 'flash-3.1-tts-preview', voice: 'Kore', input, response_format: 'wav' },
    newKey(),
  );
  const file = await toFile(Buffer.from(await spoken.arrayBuffer()), 'spoken.wav');
  const { text } = await audio.transcriptions.create({ model: 'flash-3.8', file, language: 'en' }, newKey());
  return text;
};
// #endregion audio
