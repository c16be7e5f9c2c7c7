import { GoogleGenAI } from '@google/genai';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundModel, startGateway, type RunningGateway } from './running-gateway.ts';

/** Both dialects are on, and every client has `/v1` in its base address. */
let running: RunningGateway;
let openai: OpenAI;
let genai: GoogleGenAI;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { openai: true, google: true } } });
  openai = new OpenAI({ apiKey: running.key, baseURL: `${running.origin}/v1`, maxRetries: 0 });
  genai = new GoogleGenAI({ apiKey: running.key, httpOptions: { baseUrl: running.origin, apiVersion: 'v1' } });
});
afterAll(() => running.close());

test('the openai client reads its own lists, records and errors', async () => {
  const models: string[] = [];
  for await (const { id } of openai.models.list()) models.push(id);
  expect(models).toContain(boundModel);
  expect(await openai.models.retrieve(boundModel)).toMatchObject({ id: boundModel, object: 'model' });
  const file = await openai.files.create({ file: await toFile(Buffer.from('Notes'), 'a.txt'), purpose: 'user_data' });
  const files: string[] = [];
  for await (const { id } of openai.files.list()) files.push(id);
  expect(files).toEqual([file.id]);
  const said = await openai.chat.completions.create({ model: boundModel, messages: [{ role: 'user', content: 'Hi' }] });
  expect(said.object).toBe('chat.completion');
  await expect(openai.chat.completions.create({ model: boundModel, messages: [] })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_messages',
  });
  await expect(openai.files.retrieve('nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await openai.files.delete(file.id);
});

test('the genai client reads its own at the same address', async () => {
  const models: (string | undefined)[] = [];
  for await (const { name } of await genai.models.list()) models.push(name);
  expect(models).toContain(`models/${boundModel}`);
  expect((await genai.models.get({ model: boundModel })).name).toBe(`models/${boundModel}`);
  expect((await genai.models.generateContent({ model: boundModel, contents: 'Hi' })).text).not.toBe('');
  await expect(genai.models.get({ model: 'no-such-model' })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('NOT_FOUND'),
  });
});

test('a request that says nothing of its client is answered as the contract writes it', async () => {
  const headers = { authorization: `Bearer ${running.key}` };
  const list = await fetch(`${running.origin}/v1/models`, { headers });
  expect(await list.json()).toMatchObject({ object: 'list' });
  const keyed = await fetch(`${running.origin}/v1/models?key=${running.key}`);
  expect([keyed.status, await keyed.json()]).toMatchObject([401, { error: { code: 401, status: 'UNAUTHENTICATED' } }]);
});

test('the genai client reads the steps of an interaction when it has ended', async () => {
  const created = await genai.interactions.create({ model: boundModel, input: '[[sandbox: echo Good morning.]]' });
  expect(created).toMatchObject({ object: 'interaction', status: 'completed', model: boundModel });
  expect(created.output_text).toBe('Good morning.');
  expect(created.usage?.total_tokens).toBeGreaterThan(0);
  expect(created).toHaveProperty('service.credits');
  const read = await genai.interactions.get(created.id);
  expect([read.id, read.output_text, read.status]).toEqual([created.id, 'Good morning.', 'completed']);
  await genai.interactions.delete(created.id);
  await expect(genai.interactions.get(created.id)).rejects.toMatchObject({ status: 404 });
});

test('the genai client goes on with the results of its functions', async () => {
  const tools = [
    { type: 'function' as const, name: 'get_weather', description: 'Weather', parameters: { type: 'object' } },
  ];
  const input = '[[sandbox: tool get_weather {"city":"Faro"}]]';
  const first = await genai.interactions.create({ model: boundModel, input, tools });
  expect(first.status).toBe('requires_action');
  const call = first.steps?.find(({ type }) => type === 'function_call');
  if (call?.type !== 'function_call') throw new Error('no call');
  expect(call.arguments).toEqual({ city: 'Faro' });
  const second = await genai.interactions.create({
    model: boundModel,
    previous_interaction_id: first.id,
    tools,
    input: [{ type: 'function_result', call_id: call.id, name: call.name, result: 'Windy.' }],
  });
  expect(second.output_text).toContain('Windy.');
});

test('the genai client asks later for the end of what it left in the background', async () => {
  const begun = await genai.interactions.create({ model: boundModel, input: 'Hello', background: true });
  expect(begun.steps).toEqual([]);
  let found = begun;
  while (found.status === 'in_progress') found = await genai.interactions.get(begun.id);
  expect([found.status, found.output_text === undefined]).toEqual(['completed', false]);
});

test('the genai client gets the name of what an interaction does not take', async () => {
  const asked = { model: boundModel, input: 'Hello' };
  await expect(genai.interactions.create({ ...asked, store: false })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('store'),
  });
});

test('the genai client reads the events of an interaction, and goes on behind any of them', async () => {
  const input = '[[sandbox: echo Good morning.]]';
  const events = await genai.interactions.create({ model: boundModel, input, stream: true });
  const seen: { readonly type: string; readonly id: string | undefined }[] = [];
  const ended: unknown[] = [];
  let [text, id] = ['', ''];
  for await (const event of events) {
    seen.push({ type: event.event_type, id: event.event_id });
    if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text;
    if (event.event_type !== 'interaction.completed') continue;
    ({ id } = event.interaction);
    ended.push(event.interaction.status);
  }
  expect([text, ended]).toEqual(['Good morning.', ['completed']]);
  const types = seen.map(({ type }) => type);
  expect([types[0], types[1], types.at(-1)]).toEqual(['interaction.created', 'step.start', 'interaction.completed']);
  const rest: (string | undefined)[] = [];
  const lastEventId = seen[1]?.id ?? '';
  for await (const event of await genai.interactions.get(id, { stream: true, last_event_id: lastEventId }))
    rest.push(event.event_id);
  expect(rest).toEqual(seen.slice(2).map((event) => event.id));
});
