import { Ollama } from 'ollama';

// #region chat
/** Streams an answer; returns it whole. */
export const ask = async (host: string, key: string, content: string): Promise<string> => {
  const ollama = new Ollama({ host, headers: { authorization: `Bearer ${key}` } });
  let text = '';
  const messages = [{ role: 'user', content }];
  for await (const { message } of await ollama.chat({ model: 'flash-3.8', messages, stream: true }))
    text += message.content;
  return text;
};
// #endregion chat
