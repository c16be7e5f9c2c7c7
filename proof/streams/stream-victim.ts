// A gateway that streams, made to be killed at one point of the life of its streams.
// node --conditions=@tollgate/source proof/streams/stream-victim.ts '<VictimSetup as JSON>'
import type { Storage } from '@tollgate/storage';
import { createGateway, openaiProvider, serve, silentLogger } from 'tollgate';
import { openStore } from '../torture/store-choice.ts';
import { tortureLimits, tortureTariff } from '../torture/victim-setup.ts';
import type { StreamVictimSetup, StreamVictimWord } from './stream-victim-process.ts';

// Written by the parent, from the same types.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const setup = JSON.parse(process.argv[2] ?? '{}') as StreamVictimSetup;

const say = (word: StreamVictimWord): void => void process.send?.(word);

/** Never goes on from the step that stores an answer: it stops before the commit, or when it is durable. */
const stopping = (storage: Storage, stopsAt: StreamVictimSetup['stopsAt']): Storage => ({
  ...storage,
  transact: async (keys, decide) => {
    const settles = stopsAt !== 'never' && keys.some(({ table }) => table === 'answer');
    if (settles && stopsAt === 'before settlement') {
      say({ kind: 'stopped' });
      return new Promise(() => {});
    }
    const answer = await storage.transact(keys, decide);
    if (!settles) return answer;
    say({ kind: 'stopped' });
    return new Promise(() => {});
  },
});

const gateway = await createGateway({
  provider: openaiProvider({ baseUrl: setup.upstreamUrl }),
  tariff: tortureTariff,
  limits: tortureLimits,
  compatibility: { openai: true, anthropic: true },
  storage: stopping(await openStore({ kind: 'sqlite', path: setup.path }), setup.stopsAt),
  logger: silentLogger,
  world: { owner: `streams-${process.pid}` },
});
// Without its parent no process would kill it.
process.on('disconnect', () => process.exit(0));
const { origin } = await serve(gateway, { port: 0 });
say({ kind: 'listening', origin });
