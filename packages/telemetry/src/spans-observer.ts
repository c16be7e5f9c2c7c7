import type { Context, Span } from '@opentelemetry/api';
import type { ObservedEvent, ObservedOperation, Observer, OperationEnd } from '@tollgate/engine';
import { createBoundedMap, type BoundedMap } from './bounded-map.ts';
import { genai, operationName, providerName, spanName } from './genai-names.ts';
import { ours } from './metric-table.ts';
import type { SpansOptions } from './spans-options.ts';
import { tokenSums } from './token-sums.ts';
import { createTurnSpans, type TurnSpans } from './turn-spans.ts';
import { fromTraceParent, toTraceParent } from './trace-parent.ts';

interface Requested {
  readonly span: Span;
  /** Carried here, as no asynchronous context reaches the pieces of a stream. */
  readonly context: Context;
}

interface Operating {
  readonly name: string;
  readonly operation: ObservedOperation;
  readonly requestId: string | undefined;
  readonly request: Requested | undefined;
  call: Span | null;
  calledAtMs: number;
}

interface World extends SpansOptions {
  readonly requests: BoundedMap<Requested>;
  readonly operations: BoundedMap<Operating>;
  readonly turns: TurnSpans;
}

type Of<Kind extends ObservedEvent['kind']> = Extract<ObservedEvent, { readonly kind: Kind }>;

const microsPerCredit = 1_000_000;

/** The span of the host's own server where there is one; otherwise, where the host trusts it, that of the client. */
const parentOf = ({ api, trustIncoming }: SpansOptions, { header }: Of<'request_started'>): Context => {
  const active = api.context.active();
  if (api.trace.getSpan(active) !== undefined || !trustIncoming) return active;
  const remote = fromTraceParent(header('traceparent'));
  return remote === null ? active : api.trace.setSpanContext(active, remote);
};

const startRequest = (world: World, event: Of<'request_started'>): void => {
  const { api, tracer, requests } = world;
  const parent = parentOf(world, event);
  const isInside = api.trace.getSpan(parent) !== undefined && api.trace.getSpanContext(parent)?.isRemote !== true;
  const kind = isInside ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
  const attributes = { 'http.request.method': event.method, 'tollgate.request.id': event.requestId };
  const span = tracer.startSpan(event.method, { kind, attributes }, parent);
  requests.set(event.requestId, { span, context: api.trace.setSpan(parent, span) });
};

const admitRequest = ({ requests }: World, { requestId, route, caller }: Of<'request_admitted'>): void => {
  const span = requests.get(requestId)?.span;
  span?.updateName(route);
  span?.setAttributes({
    [ours.route]: route,
    'tollgate.account.id': caller.accountId,
    'tollgate.project.id': caller.projectId,
  });
};

const endRequest = ({ api, requests }: World, { requestId, shownId, status, isStream }: Of<'request_ended'>): void => {
  const span = requests.take(requestId)?.span;
  span?.setAttributes({ [ours.status]: status, 'tollgate.operation.id': shownId, [genai.requestStream]: isStream });
  if (status >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR });
  span?.end();
};

/** The call of a provider: a span of its own below the request, or a root where no request is known here. */
const startCall = (world: World, { operationId, provider }: Of<'execution_started'>): void => {
  const { api, tracer, operations, providerNames, monotonicMs } = world;
  const operating = operations.get(operationId);
  if (operating === undefined) return;
  const attributes = {
    [genai.operation]: operationName(operating.operation.kind),
    [genai.provider]: providerName(provider, providerNames),
    [genai.requestModel]: operating.operation.model,
    'tollgate.operation.id': operationId,
  };
  const context = operating.request?.context ?? api.ROOT_CONTEXT;
  operating.calledAtMs = monotonicMs();
  operating.call = tracer.startSpan(operating.name, { kind: api.SpanKind.CLIENT, attributes }, context);
};

const beginStream = ({ operations, monotonicMs }: World, { operationId }: Of<'stream_begun'>): void => {
  const operating = operations.get(operationId);
  const seconds = (monotonicMs() - (operating?.calledAtMs ?? 0)) / 1_000;
  operating?.call?.setAttributes({ [genai.requestStream]: true, [genai.firstChunkSeconds]: seconds });
};

const usageAttributes = (usage: Parameters<typeof tokenSums>[0]): Record<string, number> => {
  const { input, output, cacheRead, cacheCreation, reasoning } = tokenSums(usage);
  return {
    [genai.inputTokens]: input,
    [genai.outputTokens]: output,
    [genai.cacheReadTokens]: cacheRead,
    [genai.cacheCreationTokens]: cacheCreation,
    [genai.reasoningTokens]: reasoning,
  };
};

const endCall = ({ api, operations }: World, { operationId, outcome, usage }: Of<'execution_ended'>): void => {
  const call = operations.get(operationId)?.call;
  if (call === undefined || call === null) return;
  if (outcome === 'answered') call.setAttributes(usageAttributes(usage));
  else {
    call.setAttribute(genai.errorType, outcome);
    call.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  call.end();
};

const endAttributes = (end: OperationEnd): Record<string, string | number> => {
  const outcome = { [ours.outcome]: end.kind };
  if (end.kind === 'failed') return { ...outcome, [ours.code]: end.code };
  if (end.kind !== 'settled') return outcome;
  const credits = Number(end.chargedMicros) / microsPerCredit;
  return { ...outcome, 'tollgate.charged.credits': credits, ...usageAttributes(end.usage) };
};

/**
 * The end of an operation: on the span of its request while that is open. After the response, or in another process, it is a
 * root span of its own that links to the request.
 */
const endOperation = (world: World, { operation, operationId, end }: Of<'operation_ended'>): void => {
  const { api, tracer, operations, requests } = world;
  const operating = operations.take(operationId);
  const attributes = { ...endAttributes(end), 'tollgate.operation.id': operationId };
  const open = operating?.requestId === undefined ? undefined : requests.get(operating.requestId);
  if (open !== undefined) {
    open.span.setAttributes(attributes);
    return;
  }
  const shown = operation ?? operating?.operation ?? null;
  const opener = fromTraceParent(shown?.trace ?? null);
  const links = opener === null ? [] : [{ context: opener }];
  const name = shown === null ? 'end of operation' : `${end.kind} ${spanName(shown)}`;
  const options = { kind: api.SpanKind.INTERNAL, root: true, links, attributes };
  tracer.startSpan(name, options, api.ROOT_CONTEXT).end();
};

/** The span of the provider's call for an operation: of its request or of a turn of its work. */
const callOf = ({ operations, turns }: World, operationId: string): Span | null =>
  operations.get(operationId)?.call ?? turns.find(operationId);

const observe = (world: World, event: ObservedEvent): void => {
  const { operations, requests, turns } = world;
  if (event.kind === 'request_started') startRequest(world, event);
  else if (event.kind === 'request_admitted') admitRequest(world, event);
  else if (event.kind === 'request_refused')
    requests.get(event.requestId)?.span.setAttributes({ [ours.code]: event.code, [genai.errorType]: event.code });
  else if (event.kind === 'request_ended') endRequest(world, event);
  else if (event.kind === 'operation_opened') {
    const { operation, requestId } = event;
    const request = requestId === null ? undefined : requests.get(requestId);
    operations.set(operation.id, {
      name: spanName(operation),
      operation,
      requestId: requestId ?? undefined,
      request,
      call: null,
      calledAtMs: 0,
    });
  } else if (event.kind === 'execution_started') startCall(world, event);
  else if (event.kind === 'stream_begun') beginStream(world, event);
  else if (event.kind === 'upstream_attempt') {
    const { provider, status, outcome, durationMs } = event;
    const shown = { provider, outcome, status: status ?? 'none', 'duration.ms': durationMs };
    callOf(world, event.operationId)?.addEvent('upstream request', shown);
  } else if (event.kind === 'execution_ended') endCall(world, event);
  else if (event.kind === 'turn_started') turns.start(event);
  else if (event.kind === 'turn_ended') turns.end(event);
  else if (event.kind === 'operation_ended') endOperation(world, event);
};

/** Turns what happens in a gateway into spans. */
export const spansObserver = (options: SpansOptions): Observer => {
  const world: World = {
    ...options,
    requests: createBoundedMap(),
    operations: createBoundedMap(),
    turns: createTurnSpans(options),
  };
  const parentTo = (span: Span | undefined | null): string | null => {
    const context = span?.spanContext();
    return context === undefined || !options.api.isSpanContextValid(context) ? null : toTraceParent(context);
  };
  return {
    observe: (event) => observe(world, event),
    traceOf: (requestId) => parentTo(world.requests.get(requestId)?.span),
    upstreamHeaders: (operationId) => {
      const traceparent = parentTo(callOf(world, operationId));
      return traceparent === null ? undefined : { traceparent };
    },
  };
};
