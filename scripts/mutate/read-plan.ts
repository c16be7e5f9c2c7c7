import { readFileSync } from 'node:fs';
import { Plan, planVariable } from './plan.ts';

/** The plan of the run that this process is. */
export const readPlan = (): Plan => {
  const file = process.env[planVariable];
  if (file === undefined) throw new Error(`${planVariable} names no plan: npm run mutate makes one`);
  return Plan.parse(JSON.parse(readFileSync(file, 'utf8')));
};
