import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ApiError, type Content, type GoogleGenAI, type HttpOptions } from '@google/genai';
import { generationModel as model } from './start-gateway.ts';

/** A new identity for one operation: with it a lost answer can be asked for again without paying twice. */
const identified = (): HttpOptions => ({ headers: { 'Idempotency-Key': randomUUID() } });

export const generate = async (client: GoogleGenAI): Promise<void> => {
  const answer = await client.models.generateContent({
    model,
    contents: '[[sandbox: echo Hello]]',
    config: { systemInstruction: 'Be brief.', maxOutputTokens: 64, temperature: 0.2, httpOptions: identified() },
  });
  assert.equal(answer.text, 'Hello');
  assert.equal(answer.candidates?.[0]?.finishReason, 'STOP');
  assert.equal(answer.modelVersion, model);
  // The client drops members that it does not know, and so the receipt; the operation's id is in the headers.
  assert.equal(answer.sdkHttpResponse?.headers?.['x-request-id'], answer.responseId);
};

export const stream = async (client: GoogleGenAI): Promise<void> => {
  const chunks = await client.models.generateContentStream({
    model,
    contents: '[[sandbox: stream 4]] [[sandbox: echo Hello in a stream]]',
    config: { httpOptions: identified() },
  });
  const pieces: string[] = [];
  let totalTokens = 0;
  for await (const chunk of chunks) {
    if (chunk.text !== undefined && chunk.text !== '') pieces.push(chunk.text);
    totalTokens = chunk.usageMetadata?.totalTokenCount ?? totalTokens;
  }
  assert.equal(pieces.join(''), 'Hello in a stream');
  assert.equal(pieces.length, 4);
  assert.ok(totalTokens > 0);
};

const getWeather = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Each step of a function loop is an operation with an identity of its own. */
export const functionLoop = async (client: GoogleGenAI): Promise<void> => {
  const contents: Content[] = [
    { role: 'user', parts: [{ text: 'Weather? [[sandbox: tool get_weather {"city":"Lisbon"}]]' }] },
  ];
  const tools = [{ functionDeclarations: [getWeather] }];
  const ask = () => client.models.generateContent({ model, contents, config: { tools, httpOptions: identified() } });
  const first = await ask();
  const call = first.functionCalls?.[0];
  const turn = first.candidates?.[0]?.content;
  assert.ok(call?.name === 'get_weather' && call.id !== undefined && turn !== undefined);
  assert.deepEqual(call.args, { city: 'Lisbon' });
  // The whole turn goes back, so that ids and signatures stay as they were.
  const functionResponse = { id: call.id, name: call.name, response: { celsius: 21 } };
  contents.push(turn, { role: 'user', parts: [{ functionResponse }] });
  const second = await ask();
  assert.match(second.text ?? '', /Result of get_weather: "\{"celsius":21\}"/);
  assert.match(second.text ?? '', /context: ok\./);
};

export const jsonSchema = async (client: GoogleGenAI): Promise<void> => {
  const answer = await client.models.generateContent({
    model,
    contents: 'Which is the largest city of Portugal? [[sandbox: json {"name":"Lisbon","people":545796}]]',
    config: {
      responseMimeType: 'application/json',
      responseJsonSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, people: { type: 'integer' } },
        required: ['name', 'people'],
      },
      httpOptions: identified(),
    },
  });
  assert.deepEqual(JSON.parse(answer.text ?? ''), { name: 'Lisbon', people: 545_796 });
};

/** Counting is free and no operation. */
export const countTokens = async (client: GoogleGenAI): Promise<void> => {
  const short = await client.models.countTokens({ model, contents: 'How long is this?' });
  const long = await client.models.countTokens({ model, contents: 'How long is this? '.repeat(100) });
  assert.ok((short.totalTokens ?? 0) > 0);
  assert.ok((long.totalTokens ?? 0) > 50 * (short.totalTokens ?? 0));
};

/** The same body under the same identity is the same operation: the answer comes from its record, free of charge. */
export const replay = async (client: GoogleGenAI): Promise<void> => {
  const httpOptions = identified();
  const ask = () => client.models.generateContent({ model, contents: 'Charge me once.', config: { httpOptions } });
  const [first, second] = [await ask(), await ask()];
  assert.equal(second.responseId, first.responseId);
  assert.equal(second.text, first.text);
  assert.equal(second.sdkHttpResponse?.headers?.['idempotency-replayed'], 'true');
};

/** Errors come in Google's form, with the code of the contract as the reason in the details. */
export const refusal = async (client: GoogleGenAI): Promise<void> => {
  const error: unknown = await client.models.generateContent({ model: 'pro-2.5', contents: 'Hello' }).then(
    () => null,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ApiError);
  assert.equal(error.status, 422);
  assert.match(error.message, /"status":"INVALID_ARGUMENT"/);
  assert.match(error.message, /"reason":"model_key_mismatch"/);
};
