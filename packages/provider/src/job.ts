import type { CallContext } from './call-context.ts';

/** How far an upstream is with something that takes its time. */
export type JobProgress<R> =
  | {
      readonly kind: 'running';
      /** When to ask again, where the upstream says. */
      readonly afterMs?: number;
      /** Replaces what the job is asked for by. */
      readonly job?: string;
    }
  | { readonly kind: 'done'; readonly result: R };

/**
 * Work that an upstream does in its own time. `start` hands it over and returns a text by which any process can ask for it
 * later; it throws as `generate` does. `poll` throws `NotExecuted` where the upstream confirms that it failed; any other throw
 * means only that the question was not answered, and it is asked again.
 */
export interface ProviderJobs<C, R> {
  /** Hands the work over. */
  readonly start: (call: C, context: CallContext) => Promise<{ readonly job: string }>;
  /** How far the work is. */
  readonly poll: (job: string, context: CallContext) => Promise<JobProgress<R>>;
  /** Asks the upstream to stop; what it did until then is known by `poll`. */
  readonly cancel?: ((job: string, context: CallContext) => Promise<void>) | undefined;
}
