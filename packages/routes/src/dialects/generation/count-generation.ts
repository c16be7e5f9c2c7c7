import { countInput, estimateInput } from '@tollgate/engine';
import { requireProvider } from '../../resolve-model.ts';
import { readBody, readGeneration, type DialectQuestion } from './prepare-generation.ts';

/** Tokens of the input of a request, as the provider of its model counts them, else by the bound that a reservation goes by. */
export const countGeneration = async (question: DialectQuestion): Promise<number> => {
  const { service, access } = question;
  const { model, call, release } = await readGeneration(question, await readBody(question));
  try {
    const counted = await countInput(service.engine, requireProvider(service, model), call, access);
    return (counted ?? estimateInput(call)).reduce((sum, { quantity }) => sum + quantity, 0);
  } finally {
    await release();
  }
};
