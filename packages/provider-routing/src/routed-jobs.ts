import { NotExecuted, type CallContext, type JobProgress, type Provider, type ProviderJobs } from '@tollgate/provider';
import { contextFor, invocationOf, type Invocation, type InvokedMethod } from './invocation.ts';
import { readLeafTag, writeLeafTag } from './leaf-tag.ts';
import { isLeaf, leavesOf } from './leaves.ts';

type Jobs<C, R> = ProviderJobs<C, R>;

/** One kind of job, as far as routing must know it. */
export interface JobRouting<C, R> {
  readonly method: InvokedMethod;
  readonly jobsOf: (member: Provider) => Jobs<C, R> | undefined;
  /** Whether the member takes jobs of this model; without it, of every one. */
  readonly takes?: (member: Provider, upstreamModel: string) => boolean;
  /** The call as a provider that makes wire calls may see it. */
  readonly scope: (call: C, leaf: Provider) => C;
  /** The result with its notes under the name of the provider that wrote them. */
  readonly sign: (result: R, leaf: Provider) => R;
}

type Direct = <Answer>(invocation: Invocation<Answer>) => Promise<Answer>;

const startAt = <C extends { readonly upstreamModel: string }, R>(
  { scope, jobsOf, takes }: JobRouting<C, R>,
  member: Provider,
  call: C,
  context: CallContext,
): Promise<{ readonly job: string }> | undefined => {
  const jobs = takes?.(member, call.upstreamModel) === false ? undefined : jobsOf(member);
  if (jobs === undefined || !isLeaf(member)) return jobs?.start(call, context);
  return jobs.start(scope(call, member), context).then(({ job }) => ({ job: writeLeafTag(member.name, job) }));
};

/** Whoever has the job, and by which name it asks for it: of a job no other provider knows anything. */
const holderOf = <C, R>({ jobsOf }: JobRouting<C, R>, members: readonly Provider[], tagged: string) => {
  const tag = readLeafTag(tagged);
  const holder = members.find((member) => leavesOf(member).some(({ name }) => name === tag?.leaf));
  const jobs = holder === undefined ? undefined : jobsOf(holder);
  // It may come back with the next configuration of the host: the question was not answered, no more.
  if (holder === undefined || jobs === undefined || tag === null)
    throw new NotExecuted({ reason: 'unavailable', cause: new Error('nobody here has the job') });
  return { holder, jobs, job: isLeaf(holder) ? tag.text : tagged };
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
      return progress.job === undefined ? progress : { ...progress, job: writeLeafTag(holder.name, progress.job) };
  }
};

/**
 * Jobs of several members: begun by whom `direct` chooses, and asked for where they were begun, whichever process asks. Undefined
 * where no member has any.
 */
export const routedJobs = <C extends { readonly upstreamModel: string }, R>(
  routing: JobRouting<C, R>,
  members: readonly Provider[],
  direct: Direct,
): Jobs<C, R> | undefined => {
  if (!members.some((member) => routing.jobsOf(member) !== undefined)) return undefined;
  return {
    start: (call, context) =>
      direct(
        invocationOf({
          method: routing.method,
          upstreamModel: call.upstreamModel,
          context,
          call: (member, its) => startAt(routing, member, call, its),
        }),
      ),
    poll: (job, context) => pollAt(routing, members, job, context),
    ...(members.some((member) => routing.jobsOf(member)?.cancel !== undefined) && {
      cancel: (job, context) => cancelAt(routing, members, job, context),
    }),
  };
};
