import { basePath } from '@tollgate/contract';
import type { HostileProcess } from './gateway-process.ts';
import { fillers } from './fillers.ts';
import type { Shot } from './hostile-shot.ts';
import { modelOf } from './hostile-routes.ts';
import { sendBody } from './send-body.ts';

/** Below the bound on a frame, which is 1,048,576 bytes. */
const frameBytes = 1_048_000;
/** Below the bound on the values and field names of a frame, which is 20,000, and a tenth of it that differ. */
const justWithin = { nodesMax: 19_000, namesMax: 1_900 };
const unbounded = { nodesMax: Infinity, namesMax: Infinity };
const smallFrames = 2_000;

/** Where hostile content stands in a message; `@` is its place. */
const messages: Readonly<Record<string, string>> = {
  message: '@',
  'clientContent.turns': '{"clientContent":{"turns":@}}',
  'clientContent.turns.*.parts': '{"clientContent":{"turns":[{"parts":@}]}}',
  'clientContent.turns.*.parts.*.functionResponse.response':
    '{"clientContent":{"turns":[{"parts":[{"functionResponse":{"name":"f","response":@}}]}]}}',
  'realtimeInput.mediaChunks': '{"realtimeInput":{"mediaChunks":@}}',
  'toolResponse.functionResponses': '{"toolResponse":{"functionResponses":@}}',
};

/** A session that was opened with its access; its first message from the gateway has come. */
const openSession = async ({ origin }: Pick<HostileProcess, 'origin'>, key: string): Promise<WebSocket> => {
  const headers = { authorization: `Bearer ${key}` };
  const { text } = await sendBody(
    { origin, method: 'POST', path: `${basePath}/live`, headers },
    Buffer.from('{"config":{}}'),
  );
  // Sound: the gateway's own answer, of the contract's form; any other ends the harness below.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { id, access_key, url } = JSON.parse(text) as Readonly<Record<'id' | 'access_key' | 'url', string>>;
  if (id === undefined) throw new Error(`no session: ${text}`);
  const socket = new WebSocket(url);
  const ready = Promise.withResolvers<void>();
  socket.addEventListener('open', () => socket.send(JSON.stringify({ id, access_key })));
  socket.addEventListener('message', () => ready.resolve());
  socket.addEventListener('close', ({ code }) => ready.reject(new Error(`the socket closed with ${code}`)));
  await ready.promise;
  return socket;
};

/** Sends the frames and behind them one that ends the session, and returns the code that it was closed with. */
const sendFrames = async (socket: WebSocket, frames: readonly string[]): Promise<number> => {
  const closed = Promise.withResolvers<number>();
  socket.addEventListener('close', ({ code }) => closed.resolve(code));
  for (const frame of frames) socket.send(frame);
  socket.send('no JSON');
  return closed.promise;
};

const shot = (place: string, filler: string, write: () => readonly string[]): Shot => ({
  surface: 'live frame',
  place,
  filler,
  model: modelOf('live'),
  build: () => {
    const frames = write();
    return { kind: 'other', send: async (gateway, key) => sendFrames(await openSession(gateway, key), frames) };
  },
});

/** Frames of live sessions, with hostile content in every list and object of a message. */
export const liveShots = (): readonly Shot[] => [
  ...Object.entries(messages).flatMap(([place, message]) => {
    const [before = '', after = ''] = message.split('@');
    return fillers.flatMap(({ name, write }) => [
      shot(place, name, () => [`${before}${write({ bytes: frameBytes - 200, ...justWithin })}${after}`]),
      ...(place === 'message'
        ? [shot(place, `${name}, unbounded`, () => [write({ bytes: frameBytes - 200, ...unbounded })])]
        : []),
    ]);
  }),
  shot('session', `${smallFrames} frames of nothing`, () => Array.from({ length: smallFrames }, () => '{}')),
  shot('session', `${smallFrames} short texts`, () =>
    Array.from({ length: smallFrames }, () => '{"clientContent":{"turns":[{"parts":[{"text":"a"}]}]}}'),
  ),
];
