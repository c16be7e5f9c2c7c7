import { GatewayError, type CatalogModel } from '@tollgate/contract';
import { askInTime, findKnownModel, retryAfterMsDefault, type Access, type HostFailure } from '@tollgate/engine';
import { present } from '../present.ts';
import type { Service } from '../service.ts';
import type { RequestHook, RequestQuestion } from './on-request.ts';
import { shownBody } from './shown-body.ts';
import { toRequestVerdict, type RequestVerdict } from './to-request-verdict.ts';

type AskedCall = NonNullable<Access['asked']>;
type OperationMarks = NonNullable<Access['marks']>;

/** A call that is about to be planned. */
export interface Admission {
  /** Who calls, with the request that is asked. */
  readonly access: Access;
  /** The model that was asked. */
  readonly model: CatalogModel;
  /** Of the operation, where it is not the one of the request. */
  readonly identity?: string | null | undefined;
  /** Of the operation, where it is known before. */
  readonly operationId?: string | undefined;
  /** The request opens several operations: the body is read again. Its model is that of the resource that it belongs to. */
  readonly isPart?: true | undefined;
}

type Judged = Exclude<RequestVerdict, { readonly kind: 'nonsense' }> | HostFailure;

const judged = (service: Service, { model, isPart }: Admission, answer: unknown): Judged => {
  const verdict = toRequestVerdict(answer);
  if (verdict.kind === 'nonsense') return { kind: 'failed', reason: verdict.fault };
  if (verdict.kind === 'refuse' || verdict.model === null || verdict.model === model.id) return verdict;
  if (isPart === true) return { kind: 'failed', reason: 'the model of this route is that of the resource' };
  return service.models.find(verdict.model) === null
    ? { kind: 'failed', reason: 'the catalog does not hold the model' }
    : verdict;
};

/** Asks the host, and waits for it no longer than `timeoutMs`. Never throws. */
const ask = (
  service: Service,
  { onRequest, timeoutMs }: RequestHook,
  admission: Admission,
  question: Omit<RequestQuestion, 'signal' | 'body'>,
): Promise<Judged> => {
  const value = admission.access.asked?.readBody();
  const deadline = { ms: timeoutMs, late: 'the hook onRequest took longer than timeoutMs' };
  return askInTime(service.engine.clock, deadline, async (signal) => {
    const told: RequestQuestion = {
      ...question,
      signal,
      get body() {
        return shownBody(value);
      },
    };
    return judged(service, admission, await onRequest(told));
  });
};

const refusal = ({ code, message, retryAfterMs }: Extract<Judged, { readonly kind: 'refuse' }>): GatewayError =>
  new GatewayError(code, {
    retryAfterMs: retryAfterMs ?? undefined,
    ...present('detail', message),
  });

const decided = (
  service: Service,
  { onFailure }: RequestHook,
  question: Omit<RequestQuestion, 'signal' | 'body'>,
  verdict: Judged,
): Pick<Extract<Judged, { readonly kind: 'go' }>, 'model' | 'tags'> => {
  switch (verdict.kind) {
    case 'go':
      return verdict;
    case 'refuse':
      throw refusal(verdict);
    case 'failed': {
      const { reason, cause } = verdict;
      const { requestId, keyId, route } = question;
      service.logger.error(
        `the hook onRequest failed: the request was ${onFailure === 'pass' ? 'let through' : 'refused'}`,
        {
          code: 'on_request_failed',
          reason,
          requestId,
          keyId,
          route,
          cause,
        },
      );
      if (onFailure === 'refuse') throw new GatewayError('service_unavailable', { retryAfterMs: retryAfterMsDefault });
      return { model: null, tags: null };
    }
  }
};

const marksOf = async (
  service: Service,
  hook: RequestHook,
  admission: Admission,
  asked: AskedCall,
): Promise<OperationMarks> => {
  const { access, model, identity = asked.identity } = admission;
  const operationId = admission.operationId ?? service.engine.newId();
  // A repeat is planned as what it repeats, and the host is not asked about it again.
  const known = await findKnownModel(service.engine, access.projectId, identity);
  if (known !== undefined) return { operationId, model: known, askedModel: null, tags: null };
  const { keyId, projectId, accountId } = access;
  const { route, header } = asked;
  const question = { requestId: operationId, keyId, projectId, accountId, route, model: model.id, header };
  const { model: chosen, tags } = decided(service, hook, question, await ask(service, hook, admission, question));
  return { operationId, model: chosen, askedModel: chosen === null || chosen === model.id ? null : model.id, tags };
};

/** The access of a call about which the host was asked: with what it decided. Throws what it refuses. */
export const admitCall = async (service: Service, admission: Admission): Promise<Access> => {
  const { asked, ...access } = admission.access;
  if (asked === undefined || service.requestHook === null) return admission.access;
  try {
    return { ...access, marks: await marksOf(service, service.requestHook, admission, asked) };
  } finally {
    if (admission.isPart !== true) asked.dropBody();
  }
};

/** The model that runs for an admitted call: the one that the host chose, else the one that was asked. */
export const admittedModel = ({ models }: Service, { marks }: Access, asked: CatalogModel): CatalogModel =>
  marks === undefined || marks.model === null ? asked : (models.find(marks.model) ?? asked);
