import { checkAnswers } from './check-answers.ts';
import { checkCalm } from './check-calm.ts';
import { checkMoney } from './check-money.ts';
import { checkOperations } from './check-operations.ts';
import { checkRetention } from './check-retention.ts';
import { readFinalFacts } from './final-facts.ts';
import type { World } from './world.ts';

/** Checks every promise when a history has ended and its processes have recovered. */
export const judge = async (world: World, retains: boolean): Promise<void> => {
  const facts = await readFinalFacts(world);
  checkOperations(world, facts);
  if (world.setup.weather === 'calm') checkCalm(world, facts);
  await checkMoney(world, facts);
  await checkAnswers(world, facts);
  if (retains) await checkRetention(world);
};
