import assert from 'node:assert/strict';
import { okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { assertContentRefused, assertContentTaken, generate, helloBody, lastCall } from './generate-ask.ts';

const withTools = (...tools: readonly unknown[]) => ({ ...helloBody, tools });
const declaring = (...functionDeclarations: readonly unknown[]) => withTools({ functionDeclarations });

const jsonSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `f${index}` }));

const calling = (functionCallingConfig: unknown) => ({
  ...declaring({ name: 'look' }, { name: 'ask' }),
  toolConfig: { functionCallingConfig },
});

/** Tools of generateContent. */
export const generateToolCases: readonly GatewayCase[] = [
  gatewayCase('takes declarations in two forms [generate:tools:declarations]', async (world) => {
    const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING', nullable: true } }, required: ['city'] };
    okJson(
      await generate(
        world,
        declaring(
          { name: 'open', description: 'Opens.', parameters },
          { name: 'plain', parametersJsonSchema: jsonSchema },
          { name: 'bare' },
        ),
      ),
    );
    assert.deepEqual(lastCall(world).tools, [
      {
        kind: 'function',
        name: 'open',
        description: 'Opens.',
        parameters: { type: 'object', properties: { city: { type: ['string', 'null'] } }, required: ['city'] },
      },
      { kind: 'function', name: 'plain', parameters: jsonSchema },
      { kind: 'function', name: 'bare' },
    ]);
  }),
  gatewayCase('offers functions, code and addresses [generate:tools:kinds]', async (world) => {
    await assertContentTaken(world, [
      declaring({ name: 'look' }),
      withTools({ codeExecution: {} }),
      withTools({ urlContext: {} }),
    ]);
    const tools = world.provider.calls.map(({ call }) => call.tools.map(({ kind }) => kind));
    assert.deepEqual(tools, [['function'], ['code_execution'], ['url_context']]);
  }),
  gatewayCase('takes several tools in one object [generate:tools:several-per-object]', async (world) => {
    okJson(await generate(world, withTools({ functionDeclarations: [{ name: 'look' }], codeExecution: {} })));
    assert.deepEqual(lastCall(world).tools, [{ kind: 'function', name: 'look' }, { kind: 'code_execution' }]);
  }),
  gatewayCase('bounds names and number of declarations [generate:tools:declaration-limits]', async (world) => {
    await assertContentTaken(world, [
      declaring({ name: `a${'b'.repeat(127)}` }),
      declaring({ name: '_a.b:c-1' }),
      declaring(...many(512)),
    ]);
    await assertContentRefused(world, 'invalid_request', [
      declaring({ name: `a${'b'.repeat(128)}` }),
      declaring({ name: '1a' }),
      declaring({ name: 'a b' }),
      declaring({ name: '' }),
      declaring(...many(513)),
    ]);
  }),
  gatewayCase(
    'refuses two schemas of one function, and two of one name [generate:tools:schema-exclusive]',
    async (world) => {
      await assertContentRefused(world, 'invalid_request', [
        declaring({ name: 'a', parameters: { type: 'OBJECT' }, parametersJsonSchema: jsonSchema }),
        declaring({ name: 'a' }, { name: 'a' }),
        withTools({ functionDeclarations: [{ name: 'a' }] }, { functionDeclarations: [{ name: 'a' }] }),
      ]);
    },
  ),
  gatewayCase('does not search maps [generate:tools:maps-refused]', async (world) => {
    await assertContentRefused(world, 'unsupported_parameter', [
      withTools({ googleMaps: {} }),
      withTools({ maps: {} }),
    ]);
  }),
  gatewayCase('refuses tools of other routes [generate:tools:others-refused]', async (world) => {
    await assertContentRefused(
      world,
      'unsupported_parameter',
      ['googleSearch', 'fileSearch', 'computerUse', 'mcpServers', 'googleSearchRetrieval'].map((name) =>
        withTools({ [name]: {} }),
      ),
    );
  }),
  gatewayCase('takes four modes of calling [generate:tools:tool-config]', async (world) => {
    await assertContentTaken(world, [
      ...['AUTO', 'ANY', 'NONE', 'VALIDATED'].map((mode) => calling({ mode })),
      calling({ mode: 'ANY', allowedFunctionNames: ['ask'] }),
    ]);
    assert.deepEqual(
      world.provider.calls.map(({ call }) => call.toolChoice),
      [
        { kind: 'auto' },
        { kind: 'required' },
        { kind: 'none' },
        { kind: 'validated' },
        { kind: 'required', names: ['ask'] },
      ],
    );
    await assertContentRefused(world, 'invalid_request', [
      calling({ mode: 'SOME' }),
      calling({ mode: 'ANY', allowedFunctionNames: ['other'] }),
      calling({ mode: 'AUTO', allowedFunctionNames: ['ask'] }),
    ]);
  }),
  gatewayCase('refuses fields in snake case by default [generate:tools:snake-case-lenient]', async (world) => {
    await assertContentRefused(world, 'unsupported_parameter', [
      withTools({ function_declarations: [{ name: 'look' }] }),
      { ...helloBody, generation_config: {} },
    ]);
  }),
  gatewayCase(
    'takes fields in snake case where the host tolerates it [generate:tools:snake-case-lenient]',
    async (world) => {
      const schema = { type: 'object', properties: { snake_case: { type: 'string' } } };
      okJson(
        await generate(world, {
          contents: [{ role: 'user', parts: [{ inline_data: { mime_type: 'text/plain', data: 'cGxhaW4=' } }] }],
          generation_config: { top_p: 0.5 },
          tools: [{ function_declarations: [{ name: 'look', parameters_json_schema: schema }] }],
        }),
      );
      assert.deepEqual(lastCall(world).tools, [{ kind: 'function', name: 'look', parameters: schema }]);
      assert.deepEqual(lastCall(world).sampling, { topP: 0.5 });
    },
    { compatibility: { snakeCase: true } },
  ),
];
