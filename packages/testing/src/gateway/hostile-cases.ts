import assert from 'node:assert/strict';
import { assertRefused } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { helloBody } from './generate-ask.ts';
import { greeting, type Ask } from './gateway-world.ts';
import { everyKind } from './kind-rows.ts';
import { suiteModel } from './suite-tariff.ts';

/** References of which each leads to two more. */
const fan = (levels: number): object => {
  const $defs: Record<string, object> = { [`d${levels}`]: {} };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
};

/** A call of every route on which an answer has a schema, and the field that holds it. */
const withSchema = (schema: unknown): readonly (readonly [string, Ask])[] => [
  [
    'response_format.json_schema.schema',
    {
      path: '/chat/completions',
      body: { ...greeting, response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    },
  ],
  [
    'generationConfig.responseJsonSchema',
    {
      path: `/models/${suiteModel}:generateContent`,
      body: {
        ...helloBody,
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
      },
    },
  ],
  [
    'response_format.schema',
    { path: '/interactions', body: { input: 'Hello', response_format: { type: 'json', schema } } },
  ],
];

/** What a client can have computed before it pays for anything. */
export const hostileCases: readonly GatewayCase[] = [
  gatewayCase(
    'refuses a schema that cannot be checked, on every route that takes one',
    async (world) => {
      for (const schema of [fan(60), { $ref: '#/$defs/none' }, { allOf: 7 }])
        for (const [field, ask] of withSchema(schema)) {
          const error = assertRefused(await world.send(ask), 422, 'invalid_request');
          assert.equal(
            error.at('message').text(),
            `The field ${field} is an object that is no JSON Schema; accepted is a JSON Schema.`,
          );
        }
      for (const [field, ask] of withSchema({ type: 'object', properties: 'a'.repeat(300_000) })) {
        const error = assertRefused(await world.send(ask), 422, 'invalid_request');
        assert.ok(error.at('message').text().startsWith(`The field ${field} is a schema of more than 262144`), field);
      }
      assert.equal(world.provider.calls.length, 0);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    everyKind,
  ),
];
