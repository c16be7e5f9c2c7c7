import { isUuid } from '@tollgate/contract';
import { findRequest } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import type { Service } from '../../service.ts';
import type { AnswerHead, FoundAnswer } from './generation-dialect.ts';
import type { HistoryBudget } from './history-budget.ts';
import { isKept, readKept } from './kept-answer.ts';

/** What an answer begins with. */
export const answerHead = (
  { id, model, createdAtMs }: Pick<OperationRecord, 'id' | 'model' | 'createdAtMs'>,
  echo: AnswerHead['echo'],
): AnswerHead => ({ id, model, createdAtMs, echo });

/** A kept answer with its operation. */
export interface KeptOperation extends FoundAnswer {
  readonly operation: OperationRecord;
}

/** The answer of a completed operation of the project that a dialect keeps; null where there is none. */
export const findKept = async (
  { engine }: Pick<Service, 'engine'>,
  projectId: string,
  { id, dialect, budget }: { readonly id: string; readonly dialect: string; readonly budget?: HistoryBudget },
): Promise<KeptOperation | null> => {
  const found = isUuid(id) ? await findRequest(engine, projectId, id) : null;
  if (found === null || found.body === null || !isKept(found.body)) return null;
  await budget?.take(found.body);
  const kept = readKept(found.body);
  if (kept.dialect !== dialect) return null;
  return { operation: found.operation, head: answerHead(found.operation, kept.answer.echo), answer: kept.answer };
};
