import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { GoogleGenAI, Modality } from '@google/genai';
import { GoogleGenerativeAIEmbeddings } from '@langchain/google-genai';
import { embedMany } from 'ai';
import { createGateway, type Gateway, type GatewayOptions } from 'tollgate';

// #region gateway
export const openForGoogleClients = (options: GatewayOptions): Promise<Gateway> =>
  createGateway({ ...options, compatibility: { google: true } });
// #endregion gateway

// #region genai
export const embedWithGenai = async (baseUrl: string, apiKey: string, texts: string[]) => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const { embeddings = [] } = await client.models.embedContent({
    model: 'embedding-2',
    contents: texts,
    config: { taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 768 },
  });
  return embeddings.map(({ values = [] }) => values);
};
// #endregion genai

// #region caches
export const askAboutManual = async (baseUrl: string, apiKey: string, manual: string, question: string) => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const cache = await client.caches.create({ model: 'flash-3.8', config: { contents: manual, ttl: '600s' } });
  const name = cache.name ?? '';
  const { text } = await client.models.generateContent({
    model: 'flash-3.8',
    contents: question,
    config: { cachedContent: name },
  });
  await client.caches.delete({ name });
  return text;
};
// #endregion caches

// #region batches
export const answerOvernight = async (
  baseUrl: string,
  apiKey: string,
  questions: string[],
  wait: () => Promise<void>,
) => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const src = questions.map((text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }));
  let job = await client.batches.create({ model: 'flash-3.8', src });
  while (job.endTime === undefined) {
    await wait();
    job = await client.batches.get({ name: job.name ?? '' });
  }
  const responses = job.dest?.inlinedResponses ?? [];
  return responses.map(({ response }) => response?.candidates?.[0]?.content?.parts?.[0]?.text);
};
// #endregion batches

// #region stores
export const askStore = async (baseUrl: string, apiKey: string, manual: Blob, question: string) => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const { name: store = '' } = await client.fileSearchStores.create({ config: { displayName: 'Manuals' } });
  const asked = { fileSearchStoreName: store, file: manual, config: { displayName: 'manual.txt' } };
  let operation = await client.fileSearchStores.uploadToFileSearchStore(asked);
  while (operation.done !== true) operation = await client.operations.get({ operation });
  const { output_text } = await client.interactions.create({
    model: 'flash-3.8',
    input: question,
    tools: [{ type: 'file_search', file_search_store_names: [store] }],
  });
  return output_text;
};
// #endregion stores

// #region live
export const talk = async (baseUrl: string, apiKey: string, words: string): Promise<string> => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const texts: string[] = [];
  const session = await client.live.connect({
    model: 'flash-2.5-native-audio-latest',
    config: { responseModalities: [Modality.TEXT] },
    callbacks: {
      onmessage: ({ text, serverContent }) => {
        texts.push(text ?? '');
        if (serverContent?.turnComplete === true) session.close();
      },
      onclose: () => resolve(),
    },
  });
  session.sendClientContent({ turns: words });
  await ended;
  return texts.join('');
};
// #endregion live

// #region token
/** In your back end. The page uses the token in place of the key. */
export const tokenForPage = async (baseUrl: string, apiKey: string): Promise<string> => {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  const { name = '' } = await client.authTokens.create({
    config: {
      liveConnectConstraints: {
        model: 'flash-2.5-native-audio-latest',
        config: { responseModalities: [Modality.TEXT] },
      },
    },
  });
  return name;
};
// #endregion token

// #region ai-sdk
export const embedWithAiSdk = async (baseUrl: string, apiKey: string, texts: string[]) => {
  const google = createGoogleGenerativeAI({ baseURL: `${baseUrl}/v1beta`, apiKey });
  const { embeddings } = await embedMany({
    model: google.embeddingModel('embedding-2'),
    values: texts,
    providerOptions: { google: { taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 768 } },
    maxRetries: 0,
  });
  return embeddings;
};
// #endregion ai-sdk

// #region langchain
export const embedWithLangChain = (baseUrl: string, apiKey: string, texts: string[]) =>
  new GoogleGenerativeAIEmbeddings({ model: 'embedding-2', apiKey, baseUrl, maxRetries: 0 }).embedDocuments(texts);
// #endregion langchain
