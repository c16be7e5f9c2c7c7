import type { CallContext, Provider } from '@tollgate/provider';
import type { PromiseId } from './provider-promises.ts';

/** A deliberately wrong provider: `wrap` breaks a right one, and the case named must notice. */
export interface ProviderFault {
  readonly name: string;
  readonly failsCase: string;
  /** The promise that the failure names (default: that of the case). */
  readonly breaks?: PromiseId | undefined;
  readonly wrap: (right: Provider) => Provider;
}

/** Any charged method: what it is asked, what it may use, and for a stream who takes its pieces. */
export type ProviderCall<Call, Rest extends unknown[], Answer> = (
  call: Call,
  context: CallContext,
  ...rest: Rest
) => Promise<Answer>;

/** Breaks a method, whichever it is. */
export type Break = <Call, Rest extends unknown[], Answer>(
  method: ProviderCall<Call, Rest, Answer>,
) => ProviderCall<Call, Rest, Answer>;

/** Breaks one method of a provider that has it. */
export const breaking = (
  method: 'generate' | 'generateStream' | 'embed' | 'countTokens' | 'interactions' | 'videos' | 'batches' | 'caches',
  change: Break,
): ProviderFault['wrap'] => {
  switch (method) {
    case 'generate':
      return (right) =>
        right.generate === undefined ? right : { ...right, generate: change(right.generate.bind(right)) };
    case 'generateStream':
      return (right) =>
        right.generateStream === undefined
          ? right
          : { ...right, generateStream: change(right.generateStream.bind(right)) };
    case 'embed':
      return (right) => (right.embed === undefined ? right : { ...right, embed: change(right.embed.bind(right)) });
    case 'countTokens':
      return (right) =>
        right.countTokens === undefined ? right : { ...right, countTokens: change(right.countTokens.bind(right)) };
    case 'interactions':
      return (right) => {
        const { interactions } = right;
        return interactions === undefined
          ? right
          : { ...right, interactions: { ...interactions, start: change(interactions.start) } };
      };
    case 'videos':
      return (right) => {
        const { videos } = right;
        return videos === undefined ? right : { ...right, videos: { ...videos, start: change(videos.start) } };
      };
    case 'batches':
      return (right) => {
        const { batches } = right;
        return batches === undefined ? right : { ...right, batches: { ...batches, start: change(batches.start) } };
      };
    case 'caches':
      return (right) => {
        const { caches } = right;
        return caches === undefined ? right : { ...right, caches: { ...caches, create: change(caches.create) } };
      };
  }
};

/** Breaks what is thrown. */
export const throwing =
  (change: (failure: unknown) => unknown): Break =>
  (method) =>
  (...given) =>
    method(...given).catch((failure: unknown) => {
      throw change(failure);
    });

/** Breaks what a call may use. */
export const lending =
  (change: (context: CallContext) => CallContext): Break =>
  (method) =>
  (call, context, ...rest) =>
    method(call, change(context), ...rest);
