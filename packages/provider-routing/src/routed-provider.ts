import type { Provider, ProviderFiles } from '@tollgate/provider';
import {
  countInvocation,
  embedInvocation,
  generateInvocation,
  removeInvocation,
  stateInvocation,
  streamInvocation,
  type Invocation,
  type InvokedMethod,
} from './invocation.ts';
import { withLeaves } from './leaves.ts';
import { interactionRouting } from './routed-interactions.ts';
import { routedJobs } from './routed-jobs.ts';
import { videoRouting } from './routed-videos.ts';
import { sharedFiles } from './shared-files.ts';
import { runsToolOfMany, takesInteractionOfMany } from './tools-of-many.ts';

/** Decides which members are asked, how often and when. */
export type Direct = <Answer>(invocation: Invocation<Answer>) => Promise<Answer>;

interface Routing {
  readonly name: string;
  readonly members: readonly Provider[];
  readonly direct: Direct;
  readonly files: ProviderFiles | undefined;
  /** The name by which members know a model (default: the same). */
  readonly rename?: (upstreamModel: string) => string;
}

/** Has a method exactly where a member has it. */
const routedProvider = ({ name, members, direct, files, rename }: Routing): Provider => {
  const named = <Call extends { readonly upstreamModel: string }>(call: Call): Call =>
    rename === undefined ? call : { ...call, upstreamModel: rename(call.upstreamModel) };
  const has = (method: InvokedMethod): boolean => members.some((member) => member[method] !== undefined);
  const nameOf = rename ?? ((upstreamModel: string) => upstreamModel);
  const videos = routedJobs(videoRouting, members, direct);
  const interactions = routedJobs(interactionRouting, members, direct);
  const routed: Provider = {
    name,
    ...(has('generate') && { generate: (call, context) => direct(generateInvocation(named(call), context)) }),
    ...(has('generateStream') && {
      generateStream: (call, context, onParts) => direct(streamInvocation(named(call), context, onParts)),
    }),
    ...(has('embed') && { embed: (call, context) => direct(embedInvocation(named(call), context)) }),
    ...(has('countTokens') && { countTokens: (call, context) => direct(countInvocation(named(call), context)) }),
    ...(files !== undefined && { files }),
    ...(videos !== undefined && {
      videos: { ...videos, start: (call, context) => videos.start(named(call), context) },
    }),
    ...(interactions !== undefined && {
      interactions: { ...interactions, start: (call, context) => interactions.start(named(call), context) },
      takesInteraction: takesInteractionOfMany(members, nameOf),
    }),
    ...(members.some((member) => member.runsTool !== undefined) && { runsTool: runsToolOfMany(members, nameOf) }),
    ...(members.some((member) => member.close !== undefined) && { close: () => closeAll(members) }),
  };
  return withLeaves(routed, members);
};

/** Closes each member once, whatever the others do. */
const closeAll = async (members: readonly Provider[]): Promise<void> => {
  const closed = await Promise.allSettled([...new Set(members)].map(async (member) => member.close?.()));
  const failed = closed.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
};

/** One provider that stands before several. Copies of files are kept by all of them. */
export const providerOfMany = (name: string, members: readonly Provider[], direct: Direct): Provider => {
  const keepers = members.filter((member) => member.files !== undefined);
  return routedProvider({ name, members, direct, files: keepers.length === 0 ? undefined : sharedFiles(keepers) });
};

/** One provider that stands before another, under its name. */
export const providerOfOne = (
  member: Provider,
  direct: Direct,
  rename: (upstreamModel: string) => string = (upstreamModel) => upstreamModel,
): Provider => {
  const { files } = member;
  const routed: ProviderFiles | undefined = files && {
    upload: (file, context) => direct(stateInvocation('upload', file, context)),
    state: (file, context) => direct(stateInvocation('state', file, context)),
    ...(files.remove !== undefined && { remove: (file, context) => direct(removeInvocation(file, context)) }),
  };
  return routedProvider({ name: member.name, members: [member], direct, files: routed, rename });
};
