import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';

// #region conversation
const newKey = () => ({ headers: { 'Idempotency-Key': randomUUID() } });

/** Asks twice. The second request names the first response in place of its text. */
export const converse = async (baseURL: string, apiKey: string): Promise<string> => {
  const { responses } = new OpenAI({ baseURL, apiKey });
  const first = await responses.create({ model: 'flash-3.8', input: 'Name a river.' }, newKey());
  const second = await responses.create(
    { model: 'flash-3.8', input: 'And a longer one?', previous_response_id: first.id },
    newKey(),
  );
  return second.output_text;
};
// #endregion conversation
