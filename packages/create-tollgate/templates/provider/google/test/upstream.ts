import { respondAs } from './respond-as.ts';

const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 };

/** A chunk of a stream. */
const chunkOf = (text: string, rest: object = {}): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...rest }], usageMetadata })}`;

/** Stands for the upstream, so that the tests need no network and no key. */
export const startUpstream = async () => {
  const { origin, close } = await respondAs({
    status: 200,
    body: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
      usageMetadata,
    },
    events: [chunkOf('Hel'), chunkOf('lo.', { finishReason: 'STOP' })],
  });
  return {
    environment: {
      GEMINI_BASE_URL: origin,
      GEMINI_API_KEY: 'test',
      SMALL_MODEL: 'gemini-2.5-flash',
      LARGE_MODEL: 'gemini-2.5-pro',
    },
    close,
  };
};
