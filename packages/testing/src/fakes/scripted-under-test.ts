import type { GenerationCall, Provider } from '@tollgate/provider';
import { breaking, lending } from '../provider/provider-fault.ts';
import type { ProviderUnderTest } from '../provider/provider-under-test.ts';
import { scriptedProvider, type ScriptedProvider } from './scripted-provider.ts';
import {
  batchPollSteps,
  batchSteps,
  embedSteps,
  interactionPollSteps,
  interactionSteps,
  pollSteps,
  scriptedRequest,
  startSteps,
  steps,
  streamSteps,
} from './scripted-scenarios.ts';

const contextsOf = (call: GenerationCall | undefined): readonly (string | undefined)[] =>
  (call?.contents ?? []).flatMap(({ parts }) =>
    parts.filter((part) => part.kind === 'function_call').map(({ context }) => context),
  );

async function readAll(read: () => AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('base64');
}

/** The call as it came, with the bytes of its blobs. */
const sentBodyOf = async (call: GenerationCall | undefined): Promise<string> => {
  const blobs = (call?.contents ?? []).flatMap(({ parts }) => parts.filter((part) => part.kind === 'blob'));
  return JSON.stringify({ call, blobs: await Promise.all(blobs.map(({ read }) => readAll(read))) });
};

const limitMs = 100;

/** The provider with a limit of its own on time, which it does not tell from a gateway that gives up. */
const limited = (scripted: Provider): Provider => {
  const limiting = lending((context) => ({
    ...context,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(limitMs)]),
  }));
  const methods = ['generate', 'generateStream', 'embed', 'interactions', 'videos', 'batches', 'caches'] as const;
  return methods.reduce((provider, method) => breaking(method, limiting)(provider), scripted);
};

/** Arranges what the scripted provider keeps itself. */
const arrangeKept = (
  scripted: ScriptedProvider,
): Required<Pick<ProviderUnderTest, 'arrangeBatch' | 'arrangeCache'>> => ({
  arrangeBatch: (scenario, call) => {
    scripted.scriptBatches(batchSteps[scenario]);
    scripted.scriptPolls(...(batchPollSteps[scenario] ?? []));
    return call;
  },
  arrangeCache: (scenario, call) => {
    scripted.scriptCaches(scenario === 'done' ? { kind: 'answer' } : steps[scenario]);
    return call;
  },
});

/** A scripted provider with every method, under test itself or behind what `direct` makes of it. */
export const scriptedUnderTest = (direct?: (scripted: Provider) => Provider): ProviderUnderTest => {
  // A provider behind another one shows none of its resources: the gateway keeps caches and runs batches itself then.
  const keeps = direct === undefined;
  const scripted = scriptedProvider({
    countSteps: [],
    fileSteps: [],
    interactionSteps: [],
    takesInteraction: () => true,
    ...(keeps ? { batchSteps: [], cacheSteps: [] } : {}),
  });
  return {
    provider: direct === undefined ? scripted : direct(scripted),
    arrange: (scenario, call) => {
      scripted.script(steps[scenario]);
      return call;
    },
    arrangeStream: (scenario, call) => {
      scripted.script(streamSteps[scenario]);
      return call;
    },
    arrangeEmbed: (scenario, call) => {
      scripted.script(embedSteps[scenario]);
      return call;
    },
    arrangeCount: (scenario, call) => {
      scripted.scriptCounts(scenario === 'counted' ? { kind: 'answer' } : steps[scenario]);
      return call;
    },
    arrangeVideo: (scenario, call) => {
      scripted.scriptVideos(startSteps[scenario]);
      scripted.scriptPolls(...(pollSteps[scenario] ?? []));
      return call;
    },
    ...(keeps ? arrangeKept(scripted) : {}),
    arrangeInteraction: (scenario, call) => {
      scripted.scriptInteractions(interactionSteps[scenario]);
      scripted.scriptPolls(...(interactionPollSteps[scenario] ?? []));
      return call;
    },
    arrangeFile: (scenario) => scripted.scriptFiles(scenario === 'unavailable' ? steps[scenario] : { kind: 'answer' }),
    upstreamId: () => scriptedRequest,
    measures: 'as_it_goes',
    sentBody: () => sentBodyOf(scripted.calls.at(-1)?.call),
    impatient: keeps ? () => limited(scripted) : null,
    upstreamRequests: scripted.upstreamRequests,
    received: scripted.received,
    stateCameBack: () => contextsOf(scripted.calls.at(-1)?.call).join() === 'state 1,state 2',
    secrets: ['sk-secret', 'the backend fell over'],
    close: scripted.close,
  };
};
