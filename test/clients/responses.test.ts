import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundModel, startGateway, type RunningGateway } from './running-gateway.ts';

let running: RunningGateway;
let openai: OpenAI;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { anthropic: true, openai: true, google: true } } });
  openai = new OpenAI({ apiKey: running.key, baseURL: `${running.origin}/v1`, maxRetries: 0 });
});
afterAll(() => running.close());

test('x', async () => {
  const m = await openai.responses.create({ model: boundModel, input: '[[sandbox: echo Good morning.]]' });
  console.log(JSON.stringify(m));
  const s = openai.responses.stream({ model: boundModel, reasoning: { effort: 'low', summary: 'auto' }, tools: [{ type: 'function', strict: false, name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }, { type: 'web_search' }], tool_choice: 'required', input: 'weather in Paris' });
  for await (const e of s) console.log(JSON.stringify(e));
  const f = await s.finalResponse();
  console.log(JSON.stringify(f.output));
  const call = f.output.find((i) => i.type === 'function_call')!;
  const t = await openai.responses.create({ model: boundModel, previous_response_id: f.id, input: [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }] });
  console.log(t.output_text, JSON.stringify(running.calls.at(-1)?.contents));
  const ref = await openai.responses.create({ model: boundModel, input: [{ role: 'user', content: 'weather?' }, { type: 'item_reference', id: call.id! }, { type: 'function_call_output', call_id: call.call_id, output: 'sunny' }] });
  console.log(ref.output_text, JSON.stringify(running.calls.at(-1)?.contents));
  console.log(JSON.stringify(await openai.responses.inputItems.list(t.id)));
  console.log(JSON.stringify(await openai.responses.retrieve(f.id) ) === JSON.stringify(f));
  await openai.responses.delete(f.id);
  await expect(openai.responses.retrieve(f.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await expect(openai.responses.create({ model: boundModel, input: [] })).rejects.toMatchObject({ status: 422 });
  console.log(JSON.stringify(await openai.responses.inputTokens.count({ model: boundModel, input: 'hello' })));
});
