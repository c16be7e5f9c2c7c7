import type { OperationRecord } from '@tollgate/storage';
import { receiptOf } from '../../chat/encode-completion.ts';
import type { Service } from '../../service.ts';
import { answerHead } from './find-kept.ts';
import type { GenerationDialect, SettledAnswer } from './generation-dialect.ts';
import type { KeptAnswer } from './kept-answer.ts';

/** A kept answer with the credits of its operation. */
export const settledOf = (service: Service, operation: OperationRecord, answer: KeptAnswer): SettledAnswer => ({
  answer,
  operation,
  receipt: { [service.brand]: receiptOf(operation) },
});

/** The whole response of an operation, as its own dialect writes it. */
export const writeKeptAnswer = (
  service: Service,
  dialect: GenerationDialect,
  operation: OperationRecord,
  answer: KeptAnswer,
): string => dialect.writeWhole(answerHead(operation, answer.echo), settledOf(service, operation, answer));
