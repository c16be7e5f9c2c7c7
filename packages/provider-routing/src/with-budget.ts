import {
  also,
  callable,
  faultAt,
  having,
  number,
  optionsCheck,
  required,
  table,
  tableOf,
  text,
  whole,
} from '@tollgate/contract/configuration';
import {
  NotExecuted,
  readUsageAtLeast,
  usageUnits,
  type BatchResult,
  type Provider,
  type ProviderJobs,
  type Usage,
  type UsageUnit,
} from '@tollgate/provider';
import { memoryBudgetCounts, type BudgetCounts, type BudgetWindow } from './budget-counts.ts';
import { addCounts, countOf, emptyCount, isEmptyCount, type BudgetCosts, type BudgetCount } from './budget-count.ts';
import { checkRouting } from './check-routing.ts';
import type { Invocation } from './invocation.ts';
import { given, providerOfOne } from './routed-provider.ts';

export interface BudgetOptions {
  /** Windows follow one another without a gap from 1 January 1970, UTC: 86,400,000 is a day. */
  readonly windowMs: number;
  /** So much may be used in one window, in micros of the host's currency; it needs `costs`. */
  readonly micros?: number;
  /** So much of each unit may be used in one window. */
  readonly units?: Readonly<Partial<Record<UsageUnit, number>>>;
  /** What the host pays this provider. */
  readonly costs?: BudgetCosts;
  /** Names the budget among the counts (default: the name of the provider). */
  readonly name?: string;
  /** Where the counts are kept (default: in this process). */
  readonly counts?: BudgetCounts;
  readonly now?: () => number;
}

const unitTable = (check: ReturnType<typeof number>) => tableOf<UsageUnit, number>(usageUnits, check);

const budgetCheck = also(
  optionsCheck<BudgetOptions>({
    windowMs: required(whole({ min: 1_000 })),
    micros: whole({ min: 1 }),
    units: unitTable(whole({ min: 1 })),
    costs: table(unitTable(number({ min: 0 }))),
    name: text(),
    counts: having<BudgetCounts>('read', 'add'),
    now: callable(),
  }),
  ({ micros, units, costs }) => [
    ...(micros === undefined && units === undefined
      ? faultAt('micros', 'is missing, as is units', 'is a budget in micros, in units, or in both')
      : []),
    ...(micros !== undefined && costs === undefined
      ? faultAt('costs', 'is missing', 'is the cost of each unit of each model, which a budget in micros is counted by')
      : []),
  ],
);

interface Budget {
  readonly provider: Provider;
  readonly options: BudgetOptions;
  readonly counts: BudgetCounts;
  readonly now: () => number;
  /** What could not be counted yet, by the beginning of its window. */
  readonly pending: Map<number, BudgetCount>;
}

/** Jobs whose models are known: they are asked for until they are done. */
const jobsMax = 10_000;

/**
 * Asks the provider until what it was measured to use in the present window has reached the budget, and refuses from then on
 * (`rate_limited`, until the window ends). Calls that are under way are counted once they are measured, so the last of a window go
 * beyond the budget. What is not measured is not counted, and sessions are not.
 */
export const withBudget = (provider: Provider, options: BudgetOptions): Provider => {
  checkRouting('withBudget', [provider], budgetCheck, options);
  const { counts = memoryBudgetCounts(), now = Date.now } = options;
  const budget: Budget = { provider, options, counts, now, pending: new Map() };
  const routed = providerOfOne(provider, (invocation) => askWithin(budget, invocation));
  const { videos, interactions, batches } = routed;
  return {
    ...routed,
    ...given('videos', videos && countedJobs(budget, videos, ({ usage }) => usage)),
    ...given('interactions', interactions && countedJobs(budget, interactions, ({ usage }) => usage)),
    ...given('batches', batches && countedJobs(budget, batches, usageOfBatch)),
  };
};

const usageOfBatch = ({ items }: BatchResult): readonly Usage[] =>
  items.flatMap((item) => {
    switch (item.kind) {
      case 'generation':
        return item.generation.usage;
      case 'embedding':
        return item.embeddings.usage;
      case 'failed':
      case 'cancelled':
        return [];
    }
  });

const windowAt = ({ options, provider, now }: Budget): BudgetWindow => {
  const { windowMs, name = provider.name } = options;
  const fromMs = Math.floor(now() / windowMs) * windowMs;
  return { budget: name, fromMs, untilMs: fromMs + windowMs };
};

/** Files are no use of a model, and are not refused. */
const askWithin = async <Answer>(budget: Budget, invocation: Invocation<Answer>): Promise<Answer> => {
  if (invocation.method === 'files' || invocation.method === 'countTokens') return invocation.ask(budget.provider);
  await requireRoom(budget);
  try {
    const answer = await invocation.ask(budget.provider);
    await note(budget, invocation.upstreamModel ?? '', invocation.usageOf(answer));
    return answer;
  } catch (failure) {
    await note(budget, invocation.upstreamModel ?? '', readUsageAtLeast(failure));
    throw failure;
  }
};

/** Counts that cannot be read refuse: what was used is not known. */
const requireRoom = async (budget: Budget): Promise<void> => {
  const window = windowAt(budget);
  const count = await readCount(budget, window).catch((cause: unknown) => {
    throw new NotExecuted({ reason: 'unavailable', cause });
  });
  if (!isReached(budget.options, count)) return;
  const retryAfterMs = Math.max(1, window.untilMs - budget.now());
  throw new NotExecuted({ reason: 'rate_limited', retryAfterMs, cause: `the budget ${window.budget} is used up` });
};

const readCount = async (budget: Budget, window: BudgetWindow): Promise<BudgetCount> => {
  const missed = budget.pending.get(window.fromMs);
  // What belongs to a window that is over decides nothing any more.
  budget.pending.clear();
  if (missed !== undefined) await addCount(budget, window, missed);
  return addCounts(await budget.counts.read(window), budget.pending.get(window.fromMs) ?? emptyCount);
};

const isReached = ({ micros, units = {} }: BudgetOptions, count: BudgetCount): boolean =>
  (micros !== undefined && count.micros >= micros) ||
  usageUnits.some((unit) => {
    const most = units[unit];
    return most !== undefined && (count.units[unit] ?? 0) >= most;
  });

const note = async (budget: Budget, upstreamModel: string, usage: readonly Usage[]): Promise<void> => {
  const count = countOf(usage, budget.options.costs ?? {}, upstreamModel);
  if (!isEmptyCount(count)) await addCount(budget, windowAt(budget), count);
};

/** An answer is handed over also if its count could not be kept: such a count is added before the next call. */
const addCount = async ({ counts, pending }: Budget, window: BudgetWindow, count: BudgetCount): Promise<void> => {
  try {
    await counts.add(window, count);
  } catch {
    pending.set(window.fromMs, addCounts(pending.get(window.fromMs) ?? emptyCount, count));
  }
};

/** Counts a job once, when it is done. Of one that another process began the model is not known: it costs what `*` does. */
const countedJobs = <Call extends { readonly upstreamModel: string }, Result>(
  budget: Budget,
  jobs: ProviderJobs<Call, Result>,
  usageOf: (result: Result) => readonly Usage[],
): ProviderJobs<Call, Result> => {
  const models = new Map<string, string>();
  const remember = (job: string, upstreamModel: string): void => {
    models.set(job, upstreamModel);
    const [oldest] = models.keys();
    if (models.size > jobsMax && oldest !== undefined) models.delete(oldest);
  };
  return {
    ...jobs,
    start: async (call, context) => {
      const started = await jobs.start(call, context);
      remember(started.job, call.upstreamModel);
      return started;
    },
    poll: async (job, context) => {
      const progress = await jobs.poll(job, context);
      const model = models.get(job) ?? '*';
      if (progress.kind === 'done') await note(budget, model, usageOf(progress.result));
      if (progress.kind === 'done') models.delete(job);
      else if (progress.job !== undefined && models.delete(job)) remember(progress.job, model);
      return progress;
    },
  };
};
