import assert from 'node:assert/strict';
import type { Part } from '@tollgate/provider';
import { jsonOf, okJson, requestIdOf, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { helloBody, lastCall } from './generate-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const google = { compatibility: { google: true } } as const;
const text = (content: string): Part => ({ kind: 'text', text: content });

const asked = (world: GatewayWorld, verb: string, body: unknown = helloBody) => ({
  key: null,
  path: `/v1beta/models/${suiteModel}:${verb}`,
  headers: { 'x-goog-api-key': world.key },
  body,
});

/** The data of each event; events that say anything else fail. */
const plainEvents = (stream: string): readonly Json[] =>
  stream
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      assert.ok(block.startsWith('data: {'), `not a plain event: ${block}`);
      return jsonOf(JSON.parse(block.slice('data: '.length)));
    });

/** What clients of the other dialect get from generateContent and its stream. */
export const generateGoogleCases: readonly GatewayCase[] = [
  gatewayCase(
    'streams nothing but content to Google clients, with the credits in its last event',
    async (world) => {
      world.provider.script({ kind: 'answer', pieces: [text('Good'), text(' day.')] });
      const answer = await world.send(asked(world, 'streamGenerateContent?alt=sse'));
      const events = plainEvents(answer.text);
      assert.equal(events.length, 3);
      const [first, , last] = events;
      assert.deepEqual([first?.at('service').value, first?.at('usageMetadata').value], [undefined, undefined]);
      assert.equal(last?.at('candidates', 0, 'finishReason').value, 'STOP');
      assert.deepEqual(last?.at('service').value, {
        request_id: requestIdOf(answer),
        project_id: world.projectId,
        credits: 0.02,
      });
      assert.equal(last?.at('usageMetadata', 'totalTokenCount').value, 15);
    },
    google,
  ),
  gatewayCase(
    'tells a Google client of a failure amid the pieces in its own form, and ends in order (G70)',
    async (world) => {
      world.provider.script({ kind: 'unknown', pieces: [text('Half')] });
      const response = await world.open(asked(world, 'streamGenerateContent?alt=sse'));
      const [, error, ...more] = plainEvents(await response.text());
      assert.deepEqual([error?.at('error', 'code').value, error?.at('error', 'status').value], [502, 'INTERNAL']);
      assert.equal(error?.at('error', 'details', 0, 'request_id').value, response.headers.get('x-request-id'));
      assert.deepEqual(more, []);
    },
    google,
  ),
  gatewayCase(
    'honours what Google clients add to a body',
    async (world) => {
      const schema = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
      const answer = okJson(
        await world.send(
          asked(world, 'generateContent', {
            contents: [{ parts: [{ text: 'Hello' }] }],
            systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
            generationConfig: {
              maxOutputTokens: 7,
              candidateCount: 1,
              stopSequences: [],
              responseMimeType: 'application/json',
              responseSchema: schema,
            },
            safetySettings: [],
          }),
        ),
      );
      assert.equal(answer.at('usageMetadata', 'promptTokenCount').value, 10);
      assert.equal(lastCall(world).outputTokensMax, 7);
      assert.deepEqual(lastCall(world).responseFormat, {
        kind: 'json_schema',
        name: 'response',
        schema: { type: 'object', properties: { city: { type: 'string' } } },
      });
      assert.deepEqual(lastCall(world).sampling, {});
    },
    google,
  ),
];
