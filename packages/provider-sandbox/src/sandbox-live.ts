import { createLiveEvents, type ProviderLive } from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';
import { converse, instructionOf } from './live-conversation.ts';
import { perform } from './live-music.ts';

/** Sessions of the sandbox. Directives of the system instruction steer the opening, those of a turn the turn. */
export const sandboxLive = (world: SandboxWorld): ProviderLive => ({
  connect: (call, context) =>
    conduct({ world, context, directives: parseDirectives(instructionOf(call), 'live') }, () => {
      const events = createLiveEvents();
      const reconnect = (): void =>
        context.recordAttempt({ startedAtMs: world.now(), durationMs: 0, status: 101, outcome: 'answered' });
      return call.kind === 'music' ? perform(world, events) : converse(call, events, reconnect);
    }),
});
