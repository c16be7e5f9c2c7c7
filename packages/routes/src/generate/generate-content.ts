import type { GatewayResponse } from '../gateway-request.ts';
import { operationAnswer } from '../operation-answer.ts';
import { generateFieldNames } from '../field-names.ts';
import { refusedError } from '../refused-error.ts';
import { encodeContent } from './encode-content.ts';
import { contentPlan, prepareContent, runContent, type ContentQuestion } from './prepare-content.ts';

// generate:*
/** POST /models/{model}:generateContent: read, run, encode. */
export const generateContent = async (question: ContentQuestion): Promise<GatewayResponse> => {
  const { service } = question;
  const prepared = await prepareContent(question, 'generateContent');
  const outcome = await runContent(service, contentPlan(question, prepared, null), prepared);
  if (outcome.kind === 'refused') throw refusedError(outcome, generateFieldNames);
  return operationAnswer(outcome, encodeContent(service.brand, outcome.operation, outcome.body));
};
