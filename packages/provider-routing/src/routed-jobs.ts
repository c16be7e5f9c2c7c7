import {
  UnknownOutcome,
  type CallContext,
  type JobProgress,
  type Provider,
  type ProviderJobs,
} from '@tollgate/provider';
import { findHolder, tagFor } from './find-holder.ts';
import { contextFor, invocationOf, type Invocation, type InvokedMethod } from './invocation.ts';
import { isLeaf } from './leaves.ts';

type Jobs<C, R> = ProviderJobs<C, R>;

/** One kind of job, as far as routing must know it. */
export interface JobRouting<C, R> {
  readonly method: InvokedMethod;
  readonly jobsOf: (member: Provider) => Jobs<C, R> | undefined;
  /** The call with files whose notes are live; made once, before any member is asked (default: the call). */
  readonly live?: (call: C) => C;
  /** The call under another name of its model (default: only the call itself has one). */
  readonly rename?: (call: C, rename: (upstreamModel: string) => string) => C;
  /** Whether a member that has the jobs takes this one; without it, it takes every one. */
  readonly takes?: (member: Provider, call: C) => boolean;
  /** The call as a provider that makes upstream requests may see it. */
  readonly scope: (call: C, leaf: Provider) => C;
  /** The result with its notes under the name of the provider that wrote them. */
  readonly sign: (result: R, leaf: Provider) => R;
}

interface Directing {
  readonly direct: <Answer>(invocation: Invocation<Answer>) => Promise<Answer>;
  /** The name by which members know a model (default: the same). */
  readonly rename: ((upstreamModel: string) => string) | undefined;
}

const startAt = <C, R>(
  { scope, jobsOf, takes }: JobRouting<C, R>,
  member: Provider,
  call: C,
  context: CallContext,
): Promise<{ readonly job: string }> | undefined => {
  const jobs = takes?.(member, call) === false ? undefined : jobsOf(member);
  if (jobs === undefined || !isLeaf(member)) return jobs?.start(call, context);
  return jobs.start(scope(call, member), context).then(({ job }) => ({ job: tagFor(member, job) }));
};

/** The provider that has the job, and its name for it: no other provider knows of a job. */
const holderOf = <C, R>({ jobsOf }: JobRouting<C, R>, members: readonly Provider[], tagged: string) => {
  const held = findHolder(members, tagged);
  const jobs = held === null ? undefined : jobsOf(held.holder);
  // It may come back with the next configuration of the host: the question was not answered, no more.
  if (held === null || jobs === undefined)
    throw new UnknownOutcome('not_answered', new Error('no provider here has the job'));
  return { holder: held.holder, jobs, job: held.text };
};

const cancelAt = async <C, R>(
  routing: JobRouting<C, R>,
  members: readonly Provider[],
  tagged: string,
  context: CallContext,
): Promise<void> => {
  const { holder, jobs, job } = holderOf(routing, members, tagged);
  await jobs.cancel?.(job, contextFor(holder, context));
};

const pollAt = async <C, R>(
  routing: JobRouting<C, R>,
  members: readonly Provider[],
  tagged: string,
  context: CallContext,
): Promise<JobProgress<R>> => {
  const { holder, jobs, job } = holderOf(routing, members, tagged);
  const progress = await jobs.poll(job, contextFor(holder, context));
  if (!isLeaf(holder)) return progress;
  switch (progress.kind) {
    case 'done':
      return { kind: 'done', result: routing.sign(progress.result, holder) };
    case 'running':
      return progress.job === undefined ? progress : { ...progress, job: tagFor(holder, progress.job) };
  }
};

/**
 * Jobs of several members: begun by whom `direct` chooses, and asked for where they were begun, whichever process asks. Undefined
 * where no member has any.
 */
export const routedJobs = <C extends { readonly upstreamModel: string }, R>(
  routing: JobRouting<C, R>,
  members: readonly Provider[],
  { direct, rename }: Directing,
): Jobs<C, R> | undefined => {
  const { method, jobsOf, takes, live } = routing;
  if (!members.some((member) => jobsOf(member) !== undefined)) return undefined;
  const named = (call: C): C => {
    if (rename === undefined) return call;
    return routing.rename?.(call, rename) ?? { ...call, upstreamModel: rename(call.upstreamModel) };
  };
  return {
    start: (given, context) => {
      const call = named(live?.(given) ?? given);
      return direct(
        invocationOf({
          method,
          upstreamModel: call.upstreamModel,
          context,
          offers: takes === undefined ? undefined : (member) => takes(member, call),
          call: (member, its) => startAt(routing, member, call, its),
        }),
      );
    },
    poll: (job, context) => pollAt(routing, members, job, context),
    cancel: members.some((member) => jobsOf(member)?.cancel !== undefined)
      ? (job, context) => cancelAt(routing, members, job, context)
      : undefined,
  };
};
