import assert from 'node:assert/strict';
import type { CallPiece, FunctionCallPart } from '@tollgate/provider';
import { okJson, type Json } from './answer.ts';
import { ask, namedEvents, responsesWire as wire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';

const { settings } = wire;
const body = wire.saying('Hello', { stream: true, tools: [{ type: 'custom', name: 'patch' }] });

const named = { id: 'a', name: 'patch' } as const;
const piece = (added: string): CallPiece => ({ kind: 'call_piece', ...named, arguments: added });
const whole = (text: string): FunctionCallPart => ({ kind: 'function_call', ...named, arguments: text });

/** What a model writes piece by piece, the deltas that a client reads, and the input that they come to. */
const sequences: readonly (readonly [pieces: readonly string[], deltas: readonly string[], input: string])[] = [
  [['', '{"in', 'put":"*** Be', 'gin\\', 'nPatch', '"}'], ['*** Be', 'gin', '\nPatch'], '*** Begin\nPatch'],
  [['{"input":"\\ud83d', '\\udea2"}'], ['🚢'], '🚢'],
  [['{"input":"', '"}'], [''], ''],
  [['{"other":1,', '"input":"late"}'], ['late'], 'late'],
  [['{"input":"a', 'b","input":"c"}'], ['a', 'b'], 'ab'],
  [['{"input":"cut'], ['cut'], 'cut'],
  [['*** Begin', ' Patch'], ['*** Begin Patch'], '*** Begin Patch'],
];

/** The item of the call in the last event of a stream. */
const itemIn = (stream: string): Json =>
  namedEvents(stream)
    .at(-1)
    ?.data.at('response', 'output')
    .list()
    .find((item) => item.at('type').value === 'custom_tool_call') ?? assert.fail(stream);

/** The input of custom tools, which models write as the text of an argument. */
export const customInputCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: sends the input of a custom tool while the model writes it',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const next = { kind: 'answer', pieces: [piece('gin"}'), whole('{"input":"*** Begin"}')] } as const;
      world.provider.script({ kind: 'wait', pieces: [piece('{"input":"*** Be')], until, next });
      const response = await world.open({ path: wire.path, body, headers: wire.headers });
      assert.ok(response.body !== null);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let stream = '';
      while (!stream.includes('"delta":"*** Be"')) stream += (await reader.read()).value ?? assert.fail(stream);
      assert.ok(!stream.includes('gin'));
      resolve();
      for (let read = await reader.read(); !read.done; read = await reader.read()) stream += read.value;
      assert.equal(itemIn(stream).at('input').value, '*** Begin');
    },
    settings,
  ),
  gatewayCase(
    'responses: the pieces of the input of a custom tool add up to it, whatever the model writes, and are replayed byte for byte',
    async (world) => {
      for (const [at, [pieces, deltas, input]] of sequences.entries()) {
        world.provider.script({ kind: 'answer', pieces: [...pieces.map(piece), whole(pieces.join(''))] });
        const headers = { 'idempotency-key': `input-${at}` };
        const first = await ask(world, wire, body, { headers });
        const events = namedEvents(first.text);
        const sent = events.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
        assert.deepEqual(
          sent.map(({ data }) => data.at('delta').value),
          deltas,
        );
        const done = events.find(({ type }) => type === 'response.custom_tool_call_input.done');
        assert.equal(done?.data.at('input').value, input);
        assert.equal(itemIn(first.text).at('input').value, input);
        const again = await ask(world, wire, body, { headers });
        assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
      }
      assert.equal(world.provider.calls.length, sequences.length);
    },
    settings,
  ),
  gatewayCase(
    'responses: an input of a custom tool goes back to the model as it was',
    async (world) => {
      world.provider.script({ kind: 'answer', pieces: [piece('{"input":"a\\n'), whole('{"input":"a\\nb"}')] });
      const first = await ask(world, wire, body);
      const result = { type: 'custom_tool_call_output', call_id: 'a', output: 'Done.' };
      const id = namedEvents(first.text).at(-1)?.data.at('response', 'id').value;
      okJson(await ask(world, wire, { input: [result], previous_response_id: id }));
      const [, turn] = world.provider.calls.at(-1)?.call.contents ?? [];
      const [part] = turn?.parts ?? [];
      assert.ok(part?.kind === 'function_call');
      assert.deepEqual(JSON.parse(part.arguments), { input: 'a\nb' });
    },
    settings,
  ),
];
