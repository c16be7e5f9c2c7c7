import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { directed } from './bodies.ts';
import {
  accessFrame,
  accessOf,
  bring,
  createSession,
  liveBody,
  liveTurn,
  nextJson,
  openSession,
  sessionRecord,
} from './live-access.ts';
import { needs, directing } from './live-ask.ts';

/** How long an access can be used. */
const accessMs = 60_000;

export const liveAccessCases: readonly ConformanceCase[] = [
  conformanceCase(
    'refuses an access that is wrong, of another session or used',
    { rules: ['live:close:bad-access', 'live:access:session-exclusive', 'live:access:no-reuse-after-drop'], needs },
    async (kit) => {
      const [one, other] = [await accessOf(kit, 'live:close:bad-access'), await accessOf(kit, 'live:close:bad-access')];
      const closes = async (
        rule: 'live:close:bad-access' | 'live:access:session-exclusive' | 'live:access:no-reuse-after-drop',
        frame: string,
      ): Promise<void> => {
        const socket = await bring(kit, one, frame);
        const error = (await nextJson(socket)).at('error');
        kit.holds(rule, error.at('code').text() !== '' && error.at('message').text() !== '', 'no frame with an error');
        kit.same(rule, await socket.closed, 4401, 'the code');
      };
      await closes('live:close:bad-access', accessFrame(one, 'wrong'));
      await closes('live:access:session-exclusive', accessFrame(one, other.at('access_key').text()));
      const socket = await bring(kit, one);
      await socket.next();
      socket.close();
      await socket.closed;
      await closes('live:access:no-reuse-after-drop', accessFrame(one));
    },
  ),
  conformanceCase(
    'opens one of many sockets that bring one access',
    { rules: ['live:access:single-use'], needs },
    async (kit) => {
      const access = await accessOf(kit, 'live:access:single-use');
      const sockets = await Promise.all(Array.from({ length: 8 }, () => kit.socket(access.at('url').text())));
      for (const socket of sockets) socket.send(accessFrame(access));
      const first = await Promise.all(sockets.map(nextJson));
      kit.same(
        'live:access:single-use',
        first.filter((frame) => frame.at('setupComplete').value !== undefined).length,
        1,
        'sockets that were opened',
      );
      for (const socket of sockets) socket.close();
    },
  ),
  conformanceCase(
    'gives the same access again until it is used',
    { rules: ['idempotency:live:replay'], needs },
    async (kit) => {
      const headers = { 'idempotency-key': kit.fresh('live') };
      const first = await createSession(kit, liveBody, headers);
      const access = kit.taken('idempotency:live:replay', first);
      const again = await createSession(kit, liveBody, headers);
      kit.same(
        'idempotency:live:replay',
        [again.json.value, again.headers.get('idempotency-replayed')],
        [access.value, 'true'],
        'the access again',
      );
      const other = { config: { generationConfig: { responseModalities: ['AUDIO'] } } };
      kit.refused('idempotency:live:replay', await createSession(kit, other, headers), 409, 'ai_idempotency_conflict');
      const socket = await bring(kit, access);
      await socket.next();
      kit.refused('idempotency:live:replay', await createSession(kit, liveBody, headers), 409);
      socket.close();
    },
  ),
  conformanceCase(
    'leaves a session uncertain whose upstream is lost',
    { rules: ['live:settle:drop-uncertain', 'live:close:normal-and-restart'], needs: directing },
    async (kit) => {
      const { socket, id } = await openSession(kit, 'live:settle:drop-uncertain');
      socket.send(liveTurn(directed('drop')));
      kit.same('live:close:normal-and-restart', await socket.closed, 1011, 'the code when the upstream is lost');
      const record = await sessionRecord(kit, 'live:settle:drop-uncertain', id);
      kit.same('live:settle:drop-uncertain', record.at('status').value, 'uncertain', 'status');
      kit.holds('live:settle:drop-uncertain', record.at('reserved_credits').number() > 0, 'nothing is reserved');
    },
  ),
  conformanceCase(
    'makes music as it is steered',
    { rules: ['live:music:client', 'live:music:server'], needs: ['realtime-music', 'test-mode'] },
    async (kit) => {
      const access = kit.taken(
        'live:music:client',
        await kit.send({ by: 'realtime-music', path: '/live', body: { config: {} } }),
      );
      const socket = await bring(kit, access);
      await socket.next();
      for (const message of [
        { clientContent: { weightedPrompts: [{ text: 'piano', weight: 1 }] } },
        { musicGenerationConfig: { bpm: 90 } },
        { playbackControl: 'PLAY' },
      ])
        socket.send(JSON.stringify(message));
      const played = await nextJson(socket);
      kit.holds('live:music:client', played.value !== undefined, 'the socket was closed');
      kit.holds(
        'live:music:server',
        played.at('serverContent', 'audioChunks').list().length > 0,
        `the frame has ${played.keys().join(', ')}`,
      );
      socket.close();
    },
  ),
  conformanceCase(
    'closes a socket that brings no access in time',
    { rules: ['live:close:first-frame-timeout'], needs: ['realtime', 'slow'] },
    async (kit) => {
      const access = await accessOf(kit, 'live:close:first-frame-timeout');
      const socket = await kit.socket(access.at('url').text());
      kit.same('live:close:first-frame-timeout', await socket.closed, 4408, 'the code');
    },
  ),

  conformanceCase(
    'fails a session that was never connected, and releases its hold',
    { rules: ['live:requests:never-connected', 'live:create:holds'], needs: ['realtime', 'slow'] },
    async (kit) => {
      const id = (await accessOf(kit, 'live:create:holds')).at('id').text();
      const read = () => kit.send({ by: 'realtime', path: `/requests/${id}` });
      const held = kit
        .taken('live:create:holds', await read())
        .at('reserved_credits')
        .number();
      kit.holds('live:create:holds', held > 0, 'nothing is reserved');
      await kit.sleep(accessMs);
      const record = await sessionRecord(kit, 'live:requests:never-connected', id);
      kit.fields('live:requests:never-connected', record, { status: 'failed', reserved_credits: 0 });
    },
  ),
];
