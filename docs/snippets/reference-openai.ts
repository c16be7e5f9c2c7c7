// Calls of the `openai` package that the pages of the reference show, each under the id of its route.
import OpenAI from 'openai';

// #region client
export const createClient = (BASE: string, KEY: string): OpenAI => new OpenAI({ baseURL: BASE, apiKey: KEY });
// #endregion client

export const listModels = async (client: OpenAI) => {
  // #region listModels
  const models = await client.models.list();
  // #endregion listModels
  return models.data;
};

export const getModel = async (client: OpenAI) => {
  // #region getModel
  const model = await client.models.retrieve('flash-3.8');
  // #endregion getModel
  return model;
};

export const createChatCompletion = async (client: OpenAI) => {
  // #region createChatCompletion
  const completion = await client.chat.completions.create(
    { model: 'flash-3.8', messages: [{ role: 'user', content: 'When does the ferry leave?' }] },
    { headers: { 'Idempotency-Key': 'ferry-1' } },
  );
  // #endregion createChatCompletion
  return completion;
};

export const createEmbeddings = async (client: OpenAI) => {
  // #region createEmbeddings
  const embeddings = await client.embeddings.create({
    model: 'embedding-2',
    input: ['The ferry leaves at nine.'],
    dimensions: 256,
  });
  // #endregion createEmbeddings
  return embeddings;
};

export const createFile = async (client: OpenAI) => {
  // #region createFile
  // The gateway needs `compatibility: { openai: true }`.
  const file = await client.files.create({
    purpose: 'user_data',
    file: new File(['The ferry leaves at nine.'], 'timetable.txt', { type: 'text/plain' }),
  });
  // #endregion createFile
  return file;
};

export const listFiles = async (client: OpenAI) => {
  // #region listFiles
  // The gateway needs `compatibility: { openai: true }`.
  const files = await client.files.list();
  // #endregion listFiles
  return files.data;
};

export const getFile = async (client: OpenAI, id: string) => {
  // #region getFile
  // The gateway needs `compatibility: { openai: true }`.
  const file = await client.files.retrieve(id);
  // #endregion getFile
  return file;
};

export const deleteFile = async (client: OpenAI, id: string) => {
  // #region deleteFile
  // The gateway needs `compatibility: { openai: true }`.
  const deleted = await client.files.delete(id);
  // #endregion deleteFile
  return deleted;
};

export const createVideo = async (client: OpenAI) => {
  // #region createVideo
  // The gateway needs `compatibility: { openai: true }`.
  const video = await client.videos.create({
    model: 'video-3.1-generate-preview',
    prompt: 'A ferry lands at dawn.',
    seconds: '4',
    size: '1280x720',
  });
  // #endregion createVideo
  return video;
};

export const getVideo = async (client: OpenAI, id: string) => {
  // #region getVideo
  // The gateway needs `compatibility: { openai: true }`.
  const video = await client.videos.retrieve(id);
  // #endregion getVideo
  return video;
};

export const getVideoContent = async (client: OpenAI, id: string) => {
  // #region getVideoContent
  // The gateway needs `compatibility: { openai: true }`.
  const content = await client.videos.downloadContent(id);
  const bytes = await content.bytes();
  // #endregion getVideoContent
  return bytes;
};

export const deleteVideo = async (client: OpenAI, id: string) => {
  // #region deleteVideo
  // The gateway needs `compatibility: { openai: true }`.
  const deleted = await client.videos.delete(id);
  // #endregion deleteVideo
  return deleted;
};

export const createStore = async (client: OpenAI) => {
  // #region createStore
  // The gateway needs `compatibility: { openai: true }`.
  const store = await client.vectorStores.create({ name: 'Timetables' });
  // #endregion createStore
  return store;
};
