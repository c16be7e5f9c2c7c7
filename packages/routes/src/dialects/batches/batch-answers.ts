import type { AnsweredItem, BatchAnswers, ItemForm } from '@tollgate/engine';
import type { EmbeddingCall, Embeddings, Generation } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import { usageOf } from '../../chat/encode-completion.ts';
import { planAnswer } from '../../chat/plan-answer.ts';
import { planVectors } from '../../embeddings/plan-vectors.ts';
import { planContent } from '../../generate/plan-content.ts';
import type { Service } from '../../service.ts';
import { dialectOf } from '../generation-dialects.ts';
import { answerHead } from '../generation/find-kept.ts';
import { keptAnswer } from '../generation/kept-answer.ts';
import { createStateSeal } from '../generation/seal-state.ts';
import { chatForm, vectorForm } from './item-forms.ts';

/** What responses to items are written with. */
export type BatchAnswering = Pick<Service, 'contextSeal' | 'finishReasonWithTools' | 'dialects'>;

/** An item as an operation of its own, as the direct routes know one: each has an id of its own in what is written of it. */
const operationOf = ({ id, operation, usage }: AnsweredItem): OperationRecord => ({
  ...operation,
  id: id.replace(':', '_'),
  usage,
});

const writeChat = (
  answering: BatchAnswering,
  generation: Generation,
  item: AnsweredItem,
  { settings }: ItemForm,
): string => {
  const operation = operationOf(item);
  const wish = { legacyFunctions: settings['legacyFunctions'] === true, reasoning: true, citations: true };
  const { body } = planAnswer(answering, generation, operation, wish);
  return `${body.slice(0, -1)},"usage":${JSON.stringify(usageOf(operation))}}`;
};

const writeGeneration = (
  answering: BatchAnswering,
  generation: Generation,
  item: AnsweredItem,
  form: ItemForm,
): string => {
  if (form.name === chatForm) return writeChat(answering, generation, item, form);
  const dialect = dialectOf(answering.dialects, form.name);
  const operation = operationOf(item);
  const seal = createStateSeal(answering, operation.projectId);
  const answer = keptAnswer(generation, { echo: form.settings, seal, media: dialect.keepsMedia === true });
  return dialect.writeWhole(answerHead(operation, form.settings), { answer, operation, receipt: {} });
};

type Call = Omit<EmbeddingCall, 'operationId'>;

const writeVectors = (call: Call, embeddings: Embeddings, item: AnsweredItem, { name, settings }: ItemForm): string => {
  if (name !== vectorForm) throw new Error(`no form of embeddings has the name ${name}`);
  const operation = operationOf(item);
  const { body } = planVectors(call, settings['encoding'] === 'base64' ? 'base64' : 'float', embeddings, operation);
  return `${body.slice(0, -1)},"usage":${JSON.stringify(usageOf(operation))}}`;
};

// batches:result:item-shape
/**
 * Responses to items are written as their own routes write them, without a receipt; those of a batch of
 * a dialect in its form.
 */
export const createBatchAnswers = (answering: BatchAnswering): BatchAnswers => ({
  generation: (generation, item) =>
    item.form === null
      ? planContent(generation, item.operation).body
      : writeGeneration(answering, generation, item, item.form),
  embedding: (call, embeddings, item) =>
    item.form === null
      ? planVectors(call, 'float', embeddings, item.operation).body
      : writeVectors(call, embeddings, item, item.form),
});
