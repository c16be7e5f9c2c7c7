import {
  generateBounds,
  limits,
  parseGenerateRequest,
  type CatalogModel,
  type GenerateRequest,
} from '@tollgate/contract';
import {
  meterGeneration,
  pricesNow,
  runOperation,
  withCache,
  type Access,
  type OperationOutcome,
  type OperationPlan,
} from '@tollgate/engine';
import type { StreamSink } from '../call-order.ts';
import type { Generation, GenerationCall } from '@tollgate/provider';
import type { AnswerForm } from '@tollgate/storage';
import { findNamedCache, type NamedCache } from '../caches/named-cache.ts';
import { checkCapabilities } from '../check-capabilities.ts';
import { estimateCall } from '../estimate-call.ts';
import { resolveFiles } from '../files/resolve-files.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { keepingStates, withKeptStates } from '../kept-states.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { identityOf } from '../identity-of.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { checkFamily, requireProvider, resolveModel, refusalOf } from '../resolve-model.ts';
import { runGeneration } from '../run-generation.ts';
import { requireWorkable } from '../require-workable.ts';
import { retryOf } from '../retry-of.ts';
import type { Service } from '../service.ts';
import { checkServiceTier, googleTierWords } from '../service-tier.ts';
import { planContent } from './plan-content.ts';
import { toContentCall } from './to-content-call.ts';

/** One call of either generateContent route. */
export interface ContentQuestion {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
  /** The model as the path names it. */
  readonly asked: string;
}

/** Everything that is known of a call before it is registered. The body itself is gone by then. */
export interface PreparedContent {
  readonly access: Access;
  readonly model: CatalogModel;
  readonly call: Omit<GenerationCall, 'operationId'>;
  /** Ids of the files of the project that it names. */
  readonly files: readonly string[];
  /** The cache that it names, or null. */
  readonly cache: NamedCache | null;
  readonly estimate: OperationPlan<Generation>['estimate'];
  readonly identity: string | null;
  readonly fingerprint: string;
  /** To be called when the operation has ended: large media lie aside until then. Does not throw. */
  readonly release: () => Promise<void>;
}

/** Where base64 stands in the body, in both spellings. */
const mediaPlaces = (snakeCase: boolean): readonly string[] => [
  'contents.*.parts.*.inlineData.data',
  ...(snakeCase ? ['contents.*.parts.*.inline_data.data'] : []),
];

/** Files of the project that turns name. */
export const contentFileIds = ({ contents }: Pick<GenerateRequest, 'contents'>): readonly string[] =>
  contents.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'file' ? [part.fileId] : [])));

/** The call that a body of either generateContent route asks for, and the files of the project that it names. */
export const toCall = async (
  service: Service,
  access: Access,
  model: CatalogModel,
  body: unknown,
): Promise<Pick<PreparedContent, 'call' | 'files' | 'cache'>> => {
  const { google = false, snakeCase = false } = service.compatibility;
  const content = parseGenerateRequest(body, { googleCompat: google, snakeCase });
  const cache = content.cacheId === null ? null : await findNamedCache(service, access, model, content.cacheId);
  const provider = service.models.providerOf(model)?.name ?? '';
  const files = await resolveFiles(service, access, contentFileIds(content), provider);
  const call = await withKeptStates(service, access.projectId, toContentCall(content, model, files.parts));
  checkCapabilities(model, call, service.models.providerOf(model));
  return { call, files: files.ids, cache };
};

/** Reads and checks a call; what it refuses leaves nothing behind. `verb` is the route's own part of the path. */
export const prepareContent = async (question: ContentQuestion, verb: string): Promise<PreparedContent> => {
  const { service, access: caller, request, asked } = question;
  const identity = identityOf(request);
  const named = resolveModel(service, caller, asked, 'generate');
  checkFamily(named, 'generate');
  const { value, fingerprint, release } = await readMediaJson(service, request, {
    path: `/models/${asked}:${verb}`,
    bytesMax: limits.bodyBytesMax.generate,
    places: mediaPlaces(service.compatibility.snakeCase === true),
  });
  try {
    const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: named });
    const model = admittedModel(service, access, named);
    checkFamily(model, 'generate');
    const { call, files, cache } = await toCall(service, access, model, value);
    await checkServiceTier(service, { access, model, call, identity, words: googleTierWords });
    const own = await estimateCall(service, { access, model }, call);
    const estimate = [...own, ...(cache?.estimate(call, own) ?? [])];
    const { responseFormat: format } = call;
    await requireWorkable(
      service,
      format.kind === 'json_schema' ? format.schema : undefined,
      'generationConfig.responseJsonSchema',
      { access, kind: null, model: model.id, estimate, identity },
    );
    return { access, model, call, files, cache, estimate, identity, fingerprint, release };
  } catch (cause) {
    await release();
    throw cause;
  }
};

/** Runs a plan; the media that lay aside for it are let go of when it has ended, however it did. */
export const runContent = async (
  { engine }: Service,
  plan: OperationPlan<Generation>,
  { release }: Pick<PreparedContent, 'release'>,
): Promise<OperationOutcome> => {
  try {
    return await runOperation(engine, plan);
  } finally {
    await release();
  }
};

const answerForms = { unary: ['json', 'json_usage'], stream: ['sse', 'sse_usage'] } as const;

const answerFormOf = ({ exposeUsage, compatibility }: Service, way: keyof typeof answerForms): AnswerForm =>
  answerForms[way][exposeUsage || compatibility.google === true ? 1 : 0];

/** The plan of a prepared call. `sinkOf` takes the id of the operation, and returns where the pieces of a stream go; null asks for none. */
export const contentPlan = (
  { service, request }: Pick<ContentQuestion, 'service' | 'request'>,
  { access, model, call, files, cache, estimate, identity, fingerprint }: PreparedContent,
  sinkOf: ((operationId: string) => StreamSink) | null,
): OperationPlan<Generation> => {
  return {
    access,
    kind: 'generate',
    model: model.id,
    provider: service.models.providerOf(model)?.name ?? '',
    identity,
    fingerprint,
    answerForm: answerFormOf(service, sinkOf === null ? 'unary' : 'stream'),
    estimate,
    refusal: refusalOf(service, model),
    files,
    uses: cache === null ? [] : [cache.use],
    isAbandoned: () => request.isGone(),
    ...retryOf(request),
    serviceTier: call.serviceTier,
    servedTier: (generation) => generation.servedTier,
    execute: async (context) => {
      const { operationId } = context;
      const provider = requireProvider(service, model);
      const sink = sinkOf === null ? null : sinkOf(operationId);
      const states = { service, context, carriedBytesMax: generateBounds.signatureCharsMax, sink };
      const run = (asked: PreparedContent['call']): Promise<Generation> =>
        keepingStates(states, (take) => runGeneration(provider, { ...asked, operationId }, context, take));
      if (cache === null) return run(call);
      const user = { projectId: access.projectId, provider };
      const cached = await withCache(service.engine, user, cache.use.id, call);
      const generation = await run(cached.call);
      return { ...generation, usage: cached.measure(generation.usage) };
    },
    measure: (generation) =>
      meterGeneration(pricesNow(service.engine, { access, model: model.id, kind: 'generate' }), generation),
    answer: planContent,
  };
};
