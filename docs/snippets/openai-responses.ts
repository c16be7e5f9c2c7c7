import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import type { ResponseOutputItem } from 'openai/resources/responses/responses';

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

// #region drawing
const isImage = (item: ResponseOutputItem): item is ResponseOutputItem.ImageGenerationCall =>
  item.type === 'image_generation_call';

/** Has an image made, and then changed by the model that made it. */
export const drawTwice = async (baseURL: string, apiKey: string): Promise<readonly string[]> => {
  const { responses } = new OpenAI({ baseURL, apiKey });
  const asked = { model: 'flash-3.1-image', tools: [{ type: 'image_generation' as const }] };
  const first = await responses.create({ ...asked, input: 'A ferry at night.' }, newKey());
  const second = await responses.create(
    { ...asked, input: 'Add a lighthouse.', previous_response_id: first.id },
    newKey(),
  );
  return [...first.output, ...second.output].filter(isImage).map(({ result }) => result ?? '');
};
// #endregion drawing

// #region background
/** Leaves a response to the gateway, and asks for it until it has ended. */
export const later = async (baseURL: string, apiKey: string): Promise<string> => {
  const { responses } = new OpenAI({ baseURL, apiKey });
  const asked = { model: 'flash-3.8', input: 'Compare three rivers.', background: true };
  let response = await responses.create(asked, newKey());
  while (response.status === 'queued' || response.status === 'in_progress') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    response = await responses.retrieve(response.id);
  }
  return response.output_text;
};
// #endregion background
