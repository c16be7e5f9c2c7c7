import { optionsCheck, text } from '@tollgate/contract/configuration';
import { NotExecuted, type Provider } from '@tollgate/provider';
import type { Invocation } from './invocation.ts';
import { providerOfMany } from './routed-provider.ts';
import { checkRouting } from './check-routing.ts';

export interface ByModelOptions {
  /** Stands in logs, and on attempts that no provider served (default `by-model`). */
  readonly name?: string;
}

/** A provider for each upstream name of a model. */
export type ModelTable = Readonly<Record<string, Provider>>;

export interface ModelChoice {
  /** Everyone that may be chosen: what they can do and the copies of files that they keep do not wait for a model. */
  readonly members: readonly Provider[];
  /** Returns one of the members, or undefined for a model that none of them has. */
  readonly choose: (upstreamModel: string) => Provider | undefined;
}

const isChoice = (models: ModelTable | ModelChoice): models is ModelChoice => typeof models['choose'] === 'function';

const choiceOf = (models: ModelTable | ModelChoice): ModelChoice => {
  if (isChoice(models)) return models;
  const table = new Map(Object.entries(models));
  return { members: [...new Set(table.values())], choose: (upstreamModel) => table.get(upstreamModel) };
};

const byModelCheck = optionsCheck<ByModelOptions>({ name: text() });

/**
 * Asks the provider of the call's model, and no other one. A model without a provider, and a method that its provider does not
 * have, is certain non-execution (`unavailable`).
 */
export const byModel = (models: ModelTable | ModelChoice, options: ByModelOptions = {}): Provider => {
  const { members, choose } = choiceOf(models);
  checkRouting('byModel', members, byModelCheck, options);
  const candidates = (upstreamModel: string): readonly Provider[] => {
    const chosen = choose(upstreamModel);
    return chosen !== undefined && members.includes(chosen) ? [chosen] : [];
  };
  const ask = async <Answer>(invocation: Invocation<Answer>): Promise<Answer> => {
    const { upstreamModel } = invocation;
    const [chosen] = upstreamModel === undefined ? [] : candidates(upstreamModel);
    if (chosen !== undefined) return invocation.ask(chosen);
    throw new NotExecuted({
      reason: 'unavailable',
      lasting: true,
      cause: `no provider for the model ${upstreamModel}`,
    });
  };
  return providerOfMany(options.name ?? 'by-model', members, ask, candidates);
};
