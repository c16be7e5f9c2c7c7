import type { Provider, ProviderLive } from '@tollgate/provider';
import { invocationOf, type Invocation } from './invocation.ts';

interface Directing {
  readonly direct: <Answer>(invocation: Invocation<Answer>) => Promise<Answer>;
  /** The name by which members know a model (default: the same). */
  readonly rename: ((upstreamModel: string) => string) | undefined;
}

/** Sessions are opened by the provider that is asked, and stay there to their end: another member may be tried until one is open. */
export const routedLive = (members: readonly Provider[], { direct, rename }: Directing): ProviderLive | undefined => {
  if (!members.some(({ live }) => live !== undefined)) return undefined;
  return {
    connect: (call, context) => {
      const upstreamModel = rename?.(call.upstreamModel) ?? call.upstreamModel;
      return direct(
        invocationOf({
          method: 'live',
          upstreamModel,
          context,
          call: ({ live }, own) => live?.connect({ ...call, upstreamModel }, own),
        }),
      );
    },
  };
};
