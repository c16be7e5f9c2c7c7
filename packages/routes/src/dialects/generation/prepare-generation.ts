import { chatBounds, GatewayError, limits, type CatalogModel } from '@tollgate/contract';
import { findToolContexts, type Access, type OperationPlan } from '@tollgate/engine';
import type { Generation, GenerationCall } from '@tollgate/provider';
import { checkCapabilities } from '../../check-capabilities.ts';
import { estimateCall } from '../../estimate-call.ts';
import { resolveFiles } from '../../files/resolve-files.ts';
import { admitCall, admittedModel } from '../../hooks/admit-call.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { readMediaJson, type MediaJsonBody } from '../../media-json/read-media-json.ts';
import { isFormRequest, readMediaForm } from '../../multipart/read-media-form.ts';
import { identityOf } from '../../identity-of.ts';
import { withKeptStates } from '../../kept-states.ts';
import { identityPath, namedModel } from '../../named-model.ts';
import { requireWorkable } from '../../require-workable.ts';
import { checkFamily, resolveModel } from '../../resolve-model.ts';
import type { Service } from '../../service.ts';
import { checkServiceTier, refuseServiceTier } from '../../service-tier.ts';
import { unsealState } from './seal-state.ts';
import { wayOf, withTools, type WayOfGeneration } from './carried-tools.ts';
import { findCarriedAnswer } from './find-carried.ts';
import { findKept } from './find-kept.ts';
import { createHistoryBudget, type HistoryBudget } from './history-budget.ts';
import type { AskedGeneration, CallParts, ExpandedBody, FoundAnswer, GenerationDialect } from './generation-dialect.ts';

/** One request for a generation in a dialect. */
export interface DialectQuestion {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
  readonly dialect: GenerationDialect;
}

/** A body, read and checked. */
export interface ReadGeneration {
  /** Who calls, with what the host decided of the call. */
  readonly access: Access;
  readonly asked: AskedGeneration;
  readonly model: CatalogModel;
  readonly call: Omit<GenerationCall, 'operationId'>;
  /** Whether one call of the model is not enough, so that an interaction carries it. */
  readonly isCarried: boolean;
  readonly files: readonly string[];
  readonly fingerprint: string;
  /** To be called when the request is done: long media lie aside until then. Does not throw. */
  readonly release: () => Promise<void>;
}

/** Everything that is known of a generation before it is opened. */
export interface PreparedGeneration extends ReadGeneration {
  readonly estimate: OperationPlan<Generation>['estimate'];
  readonly identity: string | null;
}

/** What a body in a dialect is read with. */
export interface BodyQuestion extends Pick<DialectQuestion, 'service' | 'access' | 'dialect'> {
  /** What earlier answers may still add. */
  readonly budget: HistoryBudget;
}

interface Expanded extends ExpandedBody {
  /** States of calls in earlier answers that were carried, by call id. */
  readonly contexts: ReadonlyMap<string, string>;
}

/** Resolves what a body names of earlier answers, whichever way each of them was run. */
const expandBody = async ({ service, access, dialect, budget }: BodyQuestion, body: unknown): Promise<Expanded> => {
  const contexts = new Map<string, string>();
  if (dialect.expand === undefined) return { body, history: [], contexts };
  const { projectId } = access;
  const find = async (id: string): Promise<FoundAnswer | null> => {
    const named = { id, dialect: dialect.name, budget };
    const kept = await findKept(service, projectId, named);
    if (kept !== null) return kept;
    const carried = await findCarriedAnswer(service, projectId, named);
    for (const [callId, context] of carried?.contexts ?? []) contexts.set(callId, context);
    return carried?.answer ?? null;
  };
  return { ...(await dialect.expand(body, { find, take: budget.take })), contexts };
};

/** A body as its dialect reads it, and the states of the calls in it. */
export interface AskedBody extends Pick<CallParts, 'contexts'> {
  readonly asked: AskedGeneration;
}

/** A parsed body as its dialect reads it, with what it names of earlier answers. */
export const readAsked = async (question: BodyQuestion, value: unknown): Promise<AskedBody> => {
  const { service, access, dialect } = question;
  const { body, history, contexts } = await expandBody(question, value);
  const asked = dialect.read(body, {
    messagesMax: service.compatibility.messagesMax ?? chatBounds.messagesCompat,
    history,
    unseal: (sealed) => unsealState(service, access.projectId, sealed),
  });
  const kept = await findToolContexts(service.engine, access.projectId, [...new Set(asked.callIds)]);
  return { asked, contexts: contexts.size === 0 ? kept : new Map([...kept, ...contexts]) };
};

/** A body as it is read for a model. */
export const askedOf = (asked: AskedGeneration, model: CatalogModel): AskedGeneration =>
  asked.forModel?.(model) ?? asked;

/** The kind of the operation that a body opens. */
export const kindOf = (
  { kind = 'chat' }: GenerationDialect,
  asked: Pick<AskedGeneration, 'kind'>,
): 'chat' | 'generate' => asked.kind ?? kind;

/** An interaction that carries a request has no place for what its model makes beside text. */
const atOnceMedia = (call: ReadGeneration['call'], { isCarried }: WayOfGeneration): ReadGeneration['call'] => {
  if (!isCarried || call.modalities === undefined) return call;
  throw new GatewayError('unsupported_parameter', {
    detail:
      'The field tools has image_generation in the background, or beside tools that the gateway runs; accepted is image_generation without them.',
  });
};

const toCall = async (
  question: DialectQuestion,
  { value, fingerprint, release }: MediaJsonBody,
): Promise<ReadGeneration> => {
  const { service, access: caller, request, dialect } = question;
  const budget = createHistoryBudget(service.bodyBounds, request.turn);
  const { asked: read, contexts } = await readAsked({ service, access: caller, dialect, budget }, value);
  const named = resolveModel(service, caller, namedModel(request, read.model), 'chat');
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: named });
  const model = admittedModel(service, access, named);
  const asked = askedOf(read, model);
  checkFamily(model, kindOf(dialect, asked));
  const files = await resolveFiles(service, access, asked.fileIds, service.models.providerOf(model)?.name ?? '');
  const way = wayOf(service, model, asked);
  const sent = atOnceMedia(withTools(asked.toCall(model, { files: files.parts, contexts }), way), way);
  const call = await withKeptStates(service, access.projectId, sent);
  checkCapabilities(model, call, service.models.providerOf(model));
  if (way.isCarried) refuseServiceTier(call, 'in the background, or beside tools that the gateway runs');
  await checkServiceTier(service, { access, model, call, identity: identityOf(request) });
  return { access, asked, model, call, isCarried: way.isCarried, files: files.ids, fingerprint, release };
};

/** Does something with a body; where that fails, nothing of the body stays in the blob store. */
const orRelease = async <T>({ release }: Pick<MediaJsonBody, 'release'>, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (cause) {
    await release();
    throw cause;
  }
};

/** Reads the body of a request, and nothing of what it says. */
export const readBody = ({ service, request, dialect }: DialectQuestion): Promise<MediaJsonBody> => {
  const path = identityPath(request, dialect.path);
  const bytesMax = limits.bodyBytesMax.generate;
  if (dialect.form !== undefined && isFormRequest(request))
    return readMediaForm(service, request, { path, bytesMax, fields: dialect.form });
  return readMediaJson(service, request, { path, bytesMax, places: dialect.mediaPlaces, dataUrls: dialect.dataUrls });
};

/** The call that a body asks for. Agents send whole sessions with their images, so a body may be as large as one of generateContent. */
export const readGeneration = (question: DialectQuestion, body: MediaJsonBody): Promise<ReadGeneration> =>
  orRelease(body, () => toCall(question, body));

/** Checks a request that was read; what it refuses leaves nothing behind. */
export const prepareGeneration = async (
  { service, dialect }: DialectQuestion,
  read: ReadGeneration,
  identity: string | null,
): Promise<PreparedGeneration> => {
  return orRelease(read, async () => {
    const { access, model, call } = read;
    const estimate = await estimateCall(service, { access, model }, call);
    const { responseFormat: format } = call;
    const schema = format.kind === 'json_schema' ? format.schema : undefined;
    const intent = { access, kind: null, model: model.id, estimate, identity };
    await requireWorkable(service, schema, dialect.schemaField, intent);
    return { ...read, estimate, identity };
  });
};
