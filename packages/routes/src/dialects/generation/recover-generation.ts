import { isGatewayError, isRecord, type GatewayError } from '@tollgate/contract';
import { runOperation, type OperationOutcome, type OperationPlan } from '@tollgate/engine';
import type { MediaJsonBody } from '../../media-json/read-media-json.ts';
import { refusedError } from '../../refused-error.ts';
import { selectedRow } from '../../resolve-model.ts';
import type { GatewayResponse } from '../../gateway-request.ts';
import { answerCarried } from './create-carried.ts';
import { findCarried } from './find-carried.ts';
import { isKept } from './kept-answer.ts';
import type { DialectQuestion } from './prepare-generation.ts';

type Completed = Extract<OperationOutcome, { readonly kind: 'completed' }>;

/** A request that names something that is not there. */
interface Unfound {
  readonly identity: string | null;
  readonly body: Pick<MediaJsonBody, 'value' | 'fingerprint'>;
  readonly cause: GatewayError;
}

const unrun = (): never => {
  throw new Error('an operation that is refused was run');
};

/** A plan that opens nothing: it is refused for its cause, unless the operation of its identity exists. */
const planOf = (
  { service, access, dialect }: DialectQuestion,
  { identity, body, cause }: Unfound,
): OperationPlan<never> => ({
  access,
  kind: dialect.kind ?? 'chat',
  model: selectedRow(service, access, 'chat')?.id ?? '',
  provider: '',
  identity,
  fingerprint: body.fingerprint,
  answerForm: 'json_usage',
  estimate: [],
  refusal: cause.code,
  isAbandoned: () => true,
  execute: unrun,
  measure: unrun,
  answer: unrun,
});

const carriedAnswer = async (
  question: DialectQuestion,
  { body: { value }, cause }: Unfound,
  { operation: { id, projectId } }: Completed,
): Promise<GatewayResponse> => {
  const carried = await findCarried(question.service, projectId, { id, dialect: question.dialect.name });
  if (carried === null) throw cause;
  const stream = isRecord(value) && value['stream'] === true;
  return answerCarried(question, { found: carried.found, replayed: true }, { stream, inBackground: true });
};

/**
 * The answer of a request that has one already under its identity, although what it names is gone by now: what was paid for outlives
 * the earlier answers that it went on from. `whole` writes it. Throws the cause where there is none.
 */
export const recoverGeneration = async (
  question: DialectQuestion,
  unfound: Unfound,
  whole: (outcome: Completed) => GatewayResponse,
): Promise<GatewayResponse> => {
  const { cause } = unfound;
  const outcome = await runOperation(question.service.engine, planOf(question, unfound));
  if (outcome.kind === 'completed')
    return isKept(outcome.body) ? whole(outcome) : carriedAnswer(question, unfound, outcome);
  if (outcome.code === cause.code && outcome.requestId === null) throw cause;
  throw refusedError(outcome, question.dialect.fieldNames);
};

/** Whether a request may have an answer although it was refused for this. */
export const mayBeKnown = (identity: string | null, cause: unknown): cause is GatewayError =>
  identity !== null && isGatewayError(cause) && cause.code === 'not_found';
