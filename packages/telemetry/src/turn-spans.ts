import type { Context, Span } from '@opentelemetry/api';
import type { ObservedEvent, ObservedOperation } from '@tollgate/engine';
import { createBoundedMap } from './bounded-map.ts';
import { genai, operationName, providerName, spanName } from './genai-names.ts';
import type { SpansOptions } from './spans-options.ts';
import { fromTraceParent } from './trace-parent.ts';

type Of<Kind extends ObservedEvent['kind']> = Extract<ObservedEvent, { readonly kind: Kind }>;

/** The spans of turns of work on resources. */
export interface TurnSpans {
  readonly start: (event: Of<'turn_started'>) => void;
  readonly end: (event: Of<'turn_ended'>) => void;
  /** Of the turn of an operation that is under way; null where there is none. */
  readonly find: (operationId: string) => Span | null;
}

const failures: ReadonlySet<string> = new Set(['not_executed', 'refused', 'unknown', 'lost', 'not_stored']);

/** The request that opened an operation, in whichever process: it may have ended long before. */
const openerOf = (api: SpansOptions['api'], { trace }: ObservedOperation): Context => {
  const opener = fromTraceParent(trace);
  return opener === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, opener);
};

/** A turn goes on with the trace of the request that opened its operation, and so do the upstream requests of the turn. */
const startSpan = ({ api, tracer, providerNames }: SpansOptions, { operation, provider }: Of<'turn_started'>): Span => {
  const attributes = {
    [genai.operation]: operationName(operation.kind),
    [genai.provider]: providerName(provider, providerNames),
    [genai.requestModel]: operation.model,
    'tollgate.operation.id': operation.id,
    'tollgate.account.id': operation.caller.accountId,
    'tollgate.project.id': operation.caller.projectId,
  };
  return tracer.startSpan(spanName(operation), { kind: api.SpanKind.CLIENT, attributes }, openerOf(api, operation));
};

export const createTurnSpans = (options: SpansOptions): TurnSpans => {
  const turns = createBoundedMap<{ readonly turnId: string; readonly span: Span }>();
  return {
    start: (event) => {
      const { operation, turnId } = event;
      turns.take(operation.id)?.span.end();
      turns.set(operation.id, { turnId, span: startSpan(options, event) });
    },
    end: ({ operationId, turnId, outcome }) => {
      // A turn that was lost may end after the next one has begun.
      if (turns.get(operationId)?.turnId !== turnId) return;
      const span = turns.take(operationId)?.span;
      span?.setAttribute('tollgate.turn.outcome', outcome);
      if (failures.has(outcome)) {
        span?.setAttribute(genai.errorType, outcome);
        span?.setStatus({ code: options.api.SpanStatusCode.ERROR });
      }
      span?.end();
    },
    find: (operationId) => turns.get(operationId)?.span ?? null,
  };
};
