import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { blocksOf, text } from './generate-stream-reading.ts';
import { askStream, chatStream, messagesStream, responsesStream, type StreamWire } from './stream-wires.ts';

/** How long a stream may be silent. */
const heartbeatMs = 15_000;

const commentBlock = ':';
/** What shows that a stream of a wire lives. */
const aliveOf = (block: string): boolean =>
  block.trim() === commentBlock ||
  block.startsWith('event: ping\n') ||
  block.startsWith('event: response.in_progress\n');

const eventsIn = (stream: string): number => stream.split('\n\n').length - 1;

/** Reads so many events; lets time pass as long as nothing comes. */
const readSilence = async (
  { time }: GatewayWorld,
  reader: ReadableStreamDefaultReader<string>,
  events: number,
): Promise<string> => {
  let stream = '';
  while (eventsIn(stream) < events) {
    const read = reader.read();
    const came = read.then(() => true);
    while (!(await Promise.race([came, nextTurn(false)]))) time.advance(heartbeatMs);
    stream += (await read).value ?? assert.fail(stream);
  }
  return stream;
};

/** The model is silent after its first piece, then completes: what came in the silence, the whole stream, and its replay. */
const silence = async (world: GatewayWorld, wire: StreamWire, beats: number) => {
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
  const next = { kind: 'answer', pieces: [text(' day.')] } as const;
  world.provider.script({ kind: 'wait', pieces: [text('Good')], until, next });
  const headers = { ...wire.headers, 'idempotency-key': 'silent' };
  const response = await world.open({ path: wire.path, body: wire.body, headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
  let stream = '';
  while (!stream.includes('Good') || !stream.endsWith('\n\n'))
    stream += (await reader.read()).value ?? assert.fail(stream);
  const shown = await readSilence(world, reader, beats);
  goOn();
  stream += shown;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) stream += piece.value;
  return { shown: blocksOf(shown), stream, replay: (await askStream(world, wire, 'silent')).text };
};

/** What a stream told, without what only showed that it lives. */
const toldIn = (stream: string): string => {
  const blocks = blocksOf(stream);
  const first = blocks.findIndex((block) => block.includes('Good'));
  return [...blocks.slice(0, first), ...blocks.slice(first).filter((block) => !aliveOf(block))].join('\n\n');
};

const showsLife = (wire: StreamWire, isAlive: (block: string) => boolean) => async (world: GatewayWorld) => {
  const { shown, stream, replay } = await silence(world, wire, 2);
  assert.deepEqual(shown.map(isAlive), [true, true], shown.join('\n'));
  assert.deepEqual([wire.textIn(stream), wire.endOf(stream)], ['Good day.', 'success']);
  assert.equal(toldIn(replay), toldIn(stream));
};

/** A stream whose model is silent shows that it lives, in a word that its clients' patience is renewed by, and that no replay repeats. */
export const silentStreamCases: readonly GatewayCase[] = [
  gatewayCase(
    'chat: shows in a comment that a stream lives whose model is silent',
    showsLife(chatStream, (block) => block.trim() === commentBlock),
    chatStream.settings,
  ),
  gatewayCase(
    'messages: shows in a ping that a stream lives whose model is silent',
    showsLife(messagesStream, (block) => block === 'event: ping\ndata: {"type":"ping"}'),
    messagesStream.settings,
  ),
  gatewayCase(
    'responses: shows in a repeated response.in_progress that a stream lives whose model is silent',
    showsLife(responsesStream, (block) => block.startsWith('event: response.in_progress\ndata: ')),
    responsesStream.settings,
  ),
];
