import assert from 'node:assert/strict';
import { contentResponseSchema, defaultCatalog, OperationReceipt } from '@tollgate/contract';
import type { Part } from '@tollgate/provider';
import { assertRefused, okJson, requestIdOf, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { generate, helloBody, helloContent, lastCall, ofTurn } from './generate-ask.ts';
import { measured } from './measured.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const schema = contentResponseSchema('service');

/** Has the provider answer with these parts, and returns what the client gets. */
const answerOf = async (world: GatewayWorld, ...parts: readonly Part[]): Promise<Json> => {
  world.provider.script({ kind: 'answer', generation: { text: '', parts } });
  const answer = okJson(await generate(world));
  assert.ok(schema.safeParse(answer.value).success, JSON.stringify(answer.value));
  return answer;
};

const partsIn = (answer: Json): unknown => answer.at('candidates', 0, 'content', 'parts').value;

const ran: readonly Part[] = [
  { kind: 'executable_code', id: 'x1', language: 'PYTHON', code: 'print(5050)' },
  { kind: 'code_execution_result', id: 'x1', outcome: 'ok', output: '5050\n' },
  { kind: 'text', text: 'It is 5050.' },
];
const ranOnWire = [
  { executableCode: { id: 'x1', language: 'PYTHON', code: 'print(5050)' } },
  { codeExecutionResult: { id: 'x1', outcome: 'OUTCOME_OK', output: '5050\n' } },
  { text: 'It is 5050.' },
];

const imageIds = [
  'flash-2.5-image',
  'pro-3-image-preview',
  'pro-3-image',
  'image-pro-preview',
  'flash-3.1-image-preview',
  'flash-3.1-image',
  'flash-lite-3.1-image',
];

const contentCases: readonly GatewayCase[] = [
  gatewayCase('answers parts of five kinds, in order [generate:response:parts]', async (world) => {
    const answer = await answerOf(
      world,
      { kind: 'text', text: 'I think.', thought: true },
      { kind: 'text', text: 'Look:' },
      { kind: 'media', mimeType: 'image/png', data: samples.png },
      ...ran,
      { kind: 'function_call', id: 'c1', name: 'look', arguments: '{"at":[1]}' },
    );
    assert.deepEqual(partsIn(answer), [
      { text: 'I think.', thought: true },
      { text: 'Look:' },
      { inlineData: { mimeType: 'image/png', data: samples.png } },
      ...ranOnWire,
      { functionCall: { id: 'c1', name: 'look', args: { at: [1] } } },
    ]);
    assert.equal(answer.at('candidates', 0, 'finishReason').value, 'STOP');
    assert.equal(answer.at('candidates', 0, 'content', 'role').value, 'model');
  }),
  gatewayCase('returns the code that ran and what came of it [generate:code-execution:parts]', async (world) => {
    world.provider.script({ kind: 'answer', generation: { text: '', parts: ran } });
    const answer = okJson(await generate(world, { ...helloBody, tools: [{ codeExecution: {} }] }));
    assert.deepEqual(partsIn(answer), ranOnWire);
  }),
  gatewayCase('keeps the type of generated sound with its rate [generate:response:media-mime]', async (world) => {
    const mimeType = 'audio/L16;rate=24000';
    const answer = await answerOf(world, { kind: 'media', mimeType, data: 'AAAA' });
    assert.deepEqual(partsIn(answer), [{ inlineData: { mimeType, data: 'AAAA' } }]);
  }),
  gatewayCase('gives images from the models that make them [catalog:family:image]', async (world) => {
    for (const id of imageIds) {
      const row = defaultCatalog.find((each) => each.id === id);
      assert.deepEqual([row?.family, row?.routes.includes('generate')], ['image', true], id);
      const { key } = await world.createCaller({ projectId: world.projectId, model: id });
      const part: Part = { kind: 'media', mimeType: 'image/png', data: samples.png };
      world.provider.script({ kind: 'answer', generation: { text: '', parts: [part] } });
      const body = { ...helloBody, generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } };
      const answer = okJson(await generate(world, body, { key, model: id }));
      assert.deepEqual(partsIn(answer), [{ inlineData: { mimeType: 'image/png', data: samples.png } }]);
    }
  }),
  gatewayCase(
    'gives the signature of a call to the client and back to the provider [generate:thought-signature]',
    async (world) => {
      const signature = 'CtYBAdHtim9/+=="é✓';
      const answer = await answerOf(
        world,
        { kind: 'text', text: 'Thinking.', thought: true, context: 'first' },
        { kind: 'function_call', id: 'c1', name: 'look', arguments: '{"a":1}', context: signature },
      );
      const returned = answer.at('candidates', 0, 'content').value;
      assert.deepEqual(answer.at('candidates', 0, 'content', 'parts', 1, 'thoughtSignature').value, signature);
      const response = { functionResponse: { id: 'c1', name: 'look', response: { seen: true } } };
      okJson(await generate(world, { contents: [helloContent, returned, { role: 'user', parts: [response] }] }));
      assert.deepEqual(lastCall(world).contents[1], {
        role: 'model',
        parts: [
          { kind: 'text', text: 'Thinking.', thought: true, context: 'first' },
          { kind: 'function_call', id: 'c1', name: 'look', arguments: '{"a":1}', context: signature },
        ],
      });
    },
  ),
  gatewayCase('tells a call whose arguments cannot be read by the reason alone', async (world) => {
    const answer = await answerOf(world, { kind: 'function_call', id: 'c1', name: 'look', arguments: '{"a":' });
    assert.deepEqual(partsIn(answer), []);
    assert.equal(answer.at('candidates', 0, 'finishReason').value, 'MALFORMED_FUNCTION_CALL');
  }),
  gatewayCase('tells why an answer ended, and what is said about it', async (world) => {
    const endOf = async (generation: object) => {
      world.provider.script({ kind: 'answer', generation });
      const { value } = okJson(await generate(world)).at('candidates', 0);
      return value;
    };
    const content = { role: 'model', parts: [{ text: 'Scripted answer.' }] };
    assert.deepEqual(await endOf({ finish: 'length' }), { content, finishReason: 'MAX_TOKENS', index: 0 });
    const ratings = [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }];
    const annotations = { safetyRatings: ratings, groundingMetadata: { webSearchQueries: ['a'] }, secret: 'gone' };
    assert.deepEqual(await endOf({ finish: 'content_filter', finishDetail: 'RECITATION', annotations }), {
      content,
      finishReason: 'RECITATION',
      safetyRatings: ratings,
      groundingMetadata: { webSearchQueries: ['a'] },
      index: 0,
    });
  }),
];

const receiptCases: readonly GatewayCase[] = [
  gatewayCase('names the public model and the operation [generate:response:ids]', async (world) => {
    const answer = await generate(world);
    const body = okJson(answer);
    assert.equal(body.at('modelVersion').value, suiteModel);
    assert.equal(body.at('responseId').value, body.at('service', 'request_id').value);
    assert.equal(body.at('responseId').value, requestIdOf(answer));
    assert.ok(!answer.text.includes(lastCall(world).upstreamModel));
    assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
  }),
  gatewayCase('tells credits in one place [generate:response:service-credits-only]', async (world) => {
    const answer = okJson(await generate(world));
    assert.deepEqual(answer.at('service').value, {
      request_id: answer.at('responseId').value,
      project_id: world.projectId,
      credits: 0.02,
    });
    assert.equal(JSON.stringify(answer.value).match(/credit/gi)?.length, 1);
  }),
  gatewayCase(
    'returns a refused prompt without candidates, and charges it [generate:response:prompt-block]',
    async (world) => {
      world.provider.script({
        kind: 'answer',
        generation: {
          text: '',
          finish: 'content_filter',
          promptBlock: 'PROHIBITED_CONTENT',
          usage: measured(['input_text_tokens', 10]),
        },
      });
      const answer = okJson(await generate(world));
      assert.ok(schema.safeParse(answer.value).success);
      assert.equal(answer.at('candidates').value, undefined);
      assert.deepEqual(answer.at('promptFeedback').value, { blockReason: 'PROHIBITED_CONTENT' });
      assert.equal(OperationReceipt.parse(answer.at('service').value).credits, 0.01);
    },
  ),
  gatewayCase('shows no usage unless the host asks for it [generate:response:usage-withheld]', async (world) => {
    assert.equal(okJson(await generate(world)).at('usageMetadata').value, undefined);
  }),
  gatewayCase(
    'shows usage where the host asks for it [generate:response:usage-withheld]',
    async (world) => {
      world.provider.script({
        kind: 'answer',
        generation: {
          usage: measured(
            ['input_text_tokens', 7],
            ['input_image_tokens', 20],
            ['cached_input_tokens', 3],
            ['output_text_tokens', 4],
            ['thought_tokens', 2],
            ['code_execution_runs', 1],
          ),
        },
      });
      assert.deepEqual(okJson(await generate(world)).at('usageMetadata').value, {
        promptTokenCount: 30,
        candidatesTokenCount: 4,
        cachedContentTokenCount: 3,
        thoughtsTokenCount: 2,
        totalTokenCount: 36,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 10 },
          { modality: 'IMAGE', tokenCount: 20 },
        ],
        candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
      });
    },
    { exposeUsage: true },
  ),
  gatewayCase('gives a repeated request its first answer, and fails like chat', async (world) => {
    const headers = { 'idempotency-key': 'content' };
    const first = await generate(world, helloBody, { headers });
    const again = await generate(world, helloBody, { headers });
    assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
    assertRefused(await generate(world, ofTurn({ text: 'Other' }), { headers }), 409, 'ai_idempotency_conflict');
    world.provider.script({ kind: 'not_executed', reason: 'failed' }, { kind: 'unknown' });
    const failed = assertRefused(await generate(world), 502, 'request_failed')
      .at('request_id')
      .text();
    assert.equal((await world.record(failed)).at('status').value, 'failed');
    const lost = assertRefused(await generate(world), 502, 'request_failed')
      .at('request_id')
      .text();
    assert.equal((await world.record(lost)).at('status').value, 'uncertain');
  }),
];

/** The unary answer of generateContent. */
export const generateAnswerCases: readonly GatewayCase[] = [...contentCases, ...receiptCases];
