import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { okJson } from './answer.ts';
import { responsesTools, scriptSearch, withTools } from './carried-tools.ts';
import { ask, responsesWire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { whileWorking } from './google-ask.ts';

/** How long a stream whose tools run says nothing. */
const silenceMs = 10_000;
/** How long a client waits for a response whole. */
const waitMs = 240_000;

const wire = responsesWire;
const alive = 'event: response.in_progress\n';

/** Clients that wait for work that no worker has begun. */
export const carriedWaitCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: shows in a repeated response.in_progress that a stream lives whose tools have not run',
    async (world) => {
      scriptSearch(world);
      const body = wire.saying('Hello', { tools: [responsesTools.search], stream: true });
      const response = await world.open({ path: wire.path, body, headers: wire.headers });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
      let stream = '';
      // The first of these events opens the stream; each other one follows a silence.
      for (let events = 1; events <= 3; events += 1) {
        while (stream.split(alive).length - 1 < events) stream += (await reader.read()).value ?? assert.fail(stream);
        world.time.advance(silenceMs);
      }
      const rest = async (): Promise<void> => {
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) stream += piece.value;
      };
      await whileWorking(world, rest());
      assert.ok(stream.includes('event: response.completed\n'), stream);
    },
    withTools(wire),
  ),
  gatewayCase(
    'responses: returns one that takes longer than clients wait as it is, and whole by its id',
    async (world) => {
      scriptSearch(world);
      const asked = ask(world, wire, wire.saying('Hello', { tools: [responsesTools.search] }));
      const over = asked.then(() => true);
      while (!(await Promise.race([over, nextTurn(false)]))) {
        // As slow as the storage is, so that the clock does not run away from the request.
        okJson(await world.send({ path: '/interactions' }));
        world.time.advance(waitMs);
      }
      const waiting = okJson(await asked);
      assert.ok(['queued', 'in_progress'].includes(waiting.at('status').text()));
      const path = `/responses/${waiting.at('id').text()}`;
      const isWhole = async (): Promise<void> => {
        while (okJson(await world.send({ path })).at('status').value !== 'completed') await nextTurn();
      };
      await whileWorking(world, isWhole());
      assert.equal(wire.textOf(okJson(await world.send({ path }))), 'Scripted answer.');
    },
    withTools(wire),
  ),
];
