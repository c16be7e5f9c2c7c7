import type { Provider, ProviderFiles } from '@tollgate/provider';
import {
  countInvocation,
  embedInvocation,
  generateInvocation,
  moderateInvocation,
  removeInvocation,
  stateInvocation,
  streamInvocation,
  type Invocation,
  type InvokedMethod,
} from './invocation.ts';
import { withLeaves } from './leaves.ts';
import { batchRouting } from './routed-batches.ts';
import { routedCaches } from './routed-caches.ts';
import { interactionRouting } from './routed-interactions.ts';
import { routedJobs } from './routed-jobs.ts';
import { routedLive } from './routed-live.ts';
import { routedStores } from './routed-stores.ts';
import { videoRouting } from './routed-videos.ts';
import { sharedFiles } from './shared-files.ts';
import { runsToolOfMany, takesInteractionOfMany, takesServiceTierOfMany, type Candidates } from './tools-of-many.ts';

/** Decides which members are asked, how often and when. */
export type Direct = <Answer>(invocation: Invocation<Answer>) => Promise<Answer>;

interface Routing {
  readonly name: string;
  readonly members: readonly Provider[];
  readonly direct: Direct;
  readonly files: ProviderFiles | undefined;
  /** The name by which members know a model (default: the same). */
  readonly rename?: (upstreamModel: string) => string;
  /** The members that may be asked for a model (default: all of them). */
  readonly candidates?: (upstreamModel: string) => readonly Provider[];
}

/** What is undefined is left out. */
export const given = <K extends keyof Provider>(
  name: K,
  value: Provider[K] | undefined,
): Partial<Pick<Provider, K>> => {
  const part: Partial<Pick<Provider, K>> = {};
  if (value !== undefined) part[name] = value;
  return part;
};

/** What members carry out in their own time, and what they keep. */
const longWork = ({ members, direct, rename }: Routing): Partial<Provider> => {
  const directing = { direct, rename };
  return {
    ...given('videos', routedJobs(videoRouting, members, directing)),
    ...given('batches', routedJobs(batchRouting, members, directing)),
    ...given('interactions', routedJobs(interactionRouting, members, directing)),
    ...given('caches', routedCaches(members, directing)),
    ...given('live', routedLive(members, directing)),
    ...given('stores', routedStores(members)),
  };
};

/** What members say of a model before one of them is chosen. */
const traits = ({ members, rename, candidates }: Routing): Partial<Provider> => {
  const who: Candidates = { of: candidates ?? (() => members), nameOf: rename ?? ((upstreamModel) => upstreamModel) };
  return {
    ...(members.some(({ interactions }) => interactions !== undefined) && {
      takesInteraction: takesInteractionOfMany(who),
    }),
    ...(members.some((member) => member.runsTool !== undefined) && { runsTool: runsToolOfMany(who) }),
    ...(members.some((member) => member.takesServiceTier !== undefined) && {
      takesServiceTier: takesServiceTierOfMany(who),
    }),
  };
};

/** Has a method exactly where a member has it. */
const routedProvider = (routing: Routing): Provider => {
  const { name, members, direct, files, rename } = routing;
  const named = <Call extends { readonly upstreamModel: string }>(call: Call): Call =>
    rename === undefined ? call : { ...call, upstreamModel: rename(call.upstreamModel) };
  const has = (method: InvokedMethod): boolean => members.some((member) => member[method] !== undefined);
  const routed: Provider = {
    name,
    ...(has('generate') && { generate: (call, context) => direct(generateInvocation(named(call), context)) }),
    ...(has('generateStream') && {
      generateStream: (call, context, onParts, onCallPiece) =>
        direct(streamInvocation(named(call), context, onParts, onCallPiece)),
    }),
    ...(has('embed') && { embed: (call, context) => direct(embedInvocation(named(call), context)) }),
    ...(has('moderate') && { moderate: (call, context) => direct(moderateInvocation(named(call), context)) }),
    ...(has('countTokens') && { countTokens: (call, context) => direct(countInvocation(named(call), context)) }),
    ...(files !== undefined && { files }),
    ...longWork(routing),
    ...traits(routing),
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
export const providerOfMany = (
  name: string,
  members: readonly Provider[],
  direct: Direct,
  candidates: (upstreamModel: string) => readonly Provider[] = () => members,
): Provider => {
  const keepers = members.filter((member) => member.files !== undefined);
  const files = keepers.length === 0 ? undefined : sharedFiles(keepers);
  return routedProvider({ name, members, direct, files, candidates });
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
    remove: files.remove !== undefined ? (file, context) => direct(removeInvocation(file, context)) : undefined,
  };
  return routedProvider({ name: member.name, members: [member], direct, files: routed, rename });
};
