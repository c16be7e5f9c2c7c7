import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Need } from '../kit/need.ts';
import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import type { UpstreamRequest } from '../upstream/scripted-upstream.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { jsonOf } from '../wire/json.ts';
import { directed, hello, identified, say, weatherTool } from './bodies.ts';

const needs: readonly Need[] = ['chat', 'upstream'];

/** The only request that the upstream got about a text. */
const onlyAbout = (kit: Kit, rule: RuleId, marker: string): UpstreamRequest => {
  const seen = kit.upstream.about(marker);
  kit.same(rule, seen.length, 1, 'requests that the upstream got');
  const [first] = seen;
  kit.need(rule, first !== undefined, 'the upstream got nothing: is the gateway configured to call it?');
  return first ?? { path: '', text: '', body: jsonOf(undefined) };
};

export const upstreamCases: readonly ConformanceCase[] = [
  conformanceCase(
    'calls the upstream once for one identity',
    {
      charges: 1,
      rules: [
        'idempotency:replay:no-execution',
        'idempotency:concurrency:one-execution',
        'requests:get:never-executes',
      ],
      needs,
    },
    async (kit) => {
      const marker = kit.fresh('once');
      const identity = identified(marker);
      const first = await kit.chat(say(marker), identity);
      await Promise.all(Array.from({ length: 5 }, () => kit.chat(say(marker), identity)));
      for (let times = 0; times < 5; times += 1) await kit.send({ path: `/requests/${requestIdOf(first)}` });
      for (const rule of [
        'idempotency:replay:no-execution',
        'idempotency:concurrency:one-execution',
        'requests:get:never-executes',
      ] as const)
        onlyAbout(kit, rule, marker);
    },
  ),
  conformanceCase(
    'calls the upstream for nothing that it refuses',
    {
      charges: 1,
      rules: ['idempotency:conflict:refused', 'auth:bearer:unknown-key', 'chat:part:image-remote-refused'],
      needs,
    },
    async (kit) => {
      const marker = kit.fresh('never');
      const identity = identified(kit.fresh('conflict'));
      await kit.chat(hello, identity);
      kit.refused(
        'idempotency:conflict:refused',
        await kit.chat(say(marker), identity),
        409,
        'ai_idempotency_conflict',
      );
      kit.same('idempotency:conflict:refused', kit.upstream.about(marker).length, 0, 'requests that the upstream got');
      await kit.chat(say(marker), { key: 'wrong' });
      kit.same('auth:bearer:unknown-key', kit.upstream.about(marker).length, 0, 'requests that the upstream got');
      await kit.chat(
        say([
          { type: 'text', text: marker },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ]),
      );
      kit.same(
        'chat:part:image-remote-refused',
        kit.upstream.about(marker).length,
        0,
        'requests that the upstream got',
      );
    },
  ),
  conformanceCase(
    'has a temperature of 0.7 by default',
    { charges: 1, rules: ['chat:temperature:default'], needs: [...needs, 'strict'] },
    async (kit) => {
      const marker = kit.fresh('warm');
      await kit.chat(say(marker));
      kit.same(
        'chat:temperature:default',
        onlyAbout(kit, 'chat:temperature:default', marker).body.at('temperature').value,
        0.7,
        'temperature',
      );
    },
  ),
  conformanceCase(
    'hands on the present call and nothing of an earlier one',
    { charges: 2, rules: ['chat:history:stateless', 'chat:message:system-merged'], needs },
    async (kit) => {
      const [earlier, later] = [kit.fresh('earlier'), kit.fresh('later')];
      await kit.chat(say(earlier));
      await kit.chat({
        messages: [
          { role: 'system', content: `First ${later}.` },
          { role: 'user', content: 'Hello' },
          { role: 'system', content: 'Second.' },
        ],
      });
      const { text } = onlyAbout(kit, 'chat:history:stateless', later);
      kit.holds('chat:history:stateless', !text.includes(earlier), 'the upstream got the text of an earlier call');
      kit.holds(
        'chat:message:system-merged',
        text.indexOf('First') < text.indexOf('Second.') && text.includes('Second.'),
        'the system messages are not in their order',
      );
    },
  ),
  conformanceCase(
    'hands on tools, choice and schema',
    {
      charges: 2,
      rules: ['chat:tools:function-shape', 'chat:tool-choice:values', 'chat:response-format:json-schema'],
      needs: [...needs, 'can:functions', 'can:structured_output'],
    },
    async (kit) => {
      const [calling, writing] = [kit.fresh('calling'), kit.fresh('writing')];
      await kit.chat(say(calling, { tools: [weatherTool], tool_choice: 'required' }));
      const { body } = onlyAbout(kit, 'chat:tools:function-shape', calling);
      kit.same(
        'chat:tools:function-shape',
        body.at('tools', 0, 'function', 'name').value,
        'weather',
        'the name of the function',
      );
      kit.same('chat:tool-choice:values', body.at('tool_choice').value, 'required', 'tool_choice');
      const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      await kit.chat(
        say(`${writing} ${directed('json {"city":"Lisbon"}')}`, {
          response_format: { type: 'json_schema', json_schema: { name: 'city', schema } },
        }),
      );
      kit.holds(
        'chat:response-format:json-schema',
        onlyAbout(kit, 'chat:response-format:json-schema', writing).text.includes('"city"'),
        'the schema does not reach the upstream',
      );
    },
  ),
];
