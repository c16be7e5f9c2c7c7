import { chatBounds, limits, type CatalogModel } from '@tollgate/contract';
import { findToolContexts, type Access, type OperationPlan } from '@tollgate/engine';
import type { Generation, GenerationCall } from '@tollgate/provider';
import { checkCapabilities } from '../../check-capabilities.ts';
import { estimateCall } from '../../estimate-call.ts';
import { resolveFiles } from '../../files/resolve-files.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { identityOf } from '../../identity-of.ts';
import { readMediaJson } from '../../media-json/read-media-json.ts';
import { requireWorkable } from '../../require-workable.ts';
import { checkFamily, resolveModel } from '../../resolve-model.ts';
import type { Service } from '../../service.ts';
import { unsealState } from './seal-state.ts';
import { findKept } from './find-kept.ts';
import type { AskedGeneration, ExpandedBody, GenerationDialect } from './generation-dialect.ts';

/** One request for a generation in a dialect. */
export interface DialectQuestion {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
  readonly dialect: GenerationDialect;
}

/** A body, read and checked. */
export interface ReadGeneration {
  readonly asked: AskedGeneration;
  readonly model: CatalogModel;
  readonly call: Omit<GenerationCall, 'operationId'>;
  readonly files: readonly string[];
  readonly fingerprint: string;
}

/** Everything that is known of a generation before it is opened. */
export interface PreparedGeneration extends ReadGeneration {
  readonly estimate: OperationPlan<Generation>['estimate'];
  readonly identity: string | null;
}

const expandBody = ({ service, access, dialect }: DialectQuestion, body: unknown): Promise<ExpandedBody> =>
  dialect.expand === undefined
    ? Promise.resolve({ body, history: [] })
    : dialect.expand(body, (id) => findKept(service, access.projectId, { id, dialect: dialect.name }));

/** The call that a body asks for. Nothing of a body stays in the blob store. */
export const readGeneration = async (question: DialectQuestion): Promise<ReadGeneration> => {
  const { service, access, request, dialect } = question;
  const { value, fingerprint } = await readMediaJson(service, request, {
    path: dialect.path,
    bytesMax: limits.bodyBytesMax.chat,
    places: dialect.mediaPlaces,
    dataUrls: dialect.dataUrls,
    held: 'in_memory',
  });
  const { body, history } = await expandBody(question, value);
  const asked = dialect.read(body, {
    messagesMax: service.compatibility.messagesMax ?? chatBounds.messagesCompat,
    history,
    unseal: (sealed) => unsealState(service, access.projectId, sealed),
  });
  const model = resolveModel(service, access, asked.model);
  checkFamily(model, 'chat');
  const files = await resolveFiles(service, access, asked.fileIds, service.models.providerOf(model)?.name ?? '');
  const contexts = await findToolContexts(service.engine, access.projectId, [...new Set(asked.callIds)]);
  const call = asked.toCall(model, { files: files.parts, contexts });
  checkCapabilities(model, call);
  return { asked, model, call, files: files.ids, fingerprint };
};

/** Reads and checks a request; what it refuses leaves nothing behind. */
export const prepareGeneration = async (question: DialectQuestion): Promise<PreparedGeneration> => {
  const { service, access, request, dialect } = question;
  const identity = identityOf(request);
  const read = await readGeneration(question);
  const { model, call } = read;
  const estimate = await estimateCall(service, model, call);
  const { responseFormat: format } = call;
  await requireWorkable(service, format.kind === 'json_schema' ? format.schema : undefined, dialect.schemaField, {
    access,
    kind: null,
    model: model.id,
    estimate,
    identity,
  });
  return { ...read, estimate, identity };
};
