import {
  isNotExecuted,
  NotExecuted,
  type BatchCallItem,
  type BatchResult,
  type BatchResultItem,
  type CallContext,
  type Provider,
  type ProviderJobs,
  type BatchCall,
} from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';

/** Batches that the sandbox remembers at the most; beyond it the oldest is forgotten. */
const batchesMax = 100;

interface Kept {
  readonly call: BatchCall;
  /** How often it was asked for. */
  polls: number;
  cancelled: boolean;
}

type Answers = Required<Pick<Provider, 'generate' | 'embed'>>;

/** Wire calls of items are the upstream's own, and none of the gateway's. */
const contextOf = ({ caller, signal }: CallContext): CallContext => ({ caller, signal, recordAttempt: () => {} });

const answerOf = async (answers: Answers, item: BatchCallItem, context: CallContext): Promise<BatchResultItem> =>
  item.kind === 'generation'
    ? { key: item.key, kind: 'generation', generation: await answers.generate(item.call, contextOf(context)) }
    : { key: item.key, kind: 'embedding', embeddings: await answers.embed(item.call, contextOf(context)) };

/** Carries an item out as its own directives say. Of one whose answer is lost, the result says nothing. */
const carryOut = async (
  answers: Answers,
  item: BatchCallItem,
  context: CallContext,
): Promise<readonly BatchResultItem[]> => {
  try {
    return [await answerOf(answers, item, context)];
  } catch (failure) {
    if (isNotExecuted(failure)) return [{ key: item.key, kind: 'failed', reason: failure.reason }];
    return [];
  }
};

/**
 * Whole batches at the sandbox: a job goes on for as many questions as its name says, and is done then, item by item as the prompts
 * of the items say. It is kept as long as the sandbox runs.
 */
export const sandboxBatches = (world: SandboxWorld, answers: Answers): ProviderJobs<BatchCall, BatchResult> => {
  const kept = new Map<string, Kept>();
  const find = (job: string): Kept => {
    const found = kept.get(job);
    if (found === undefined) throw new Error('sandbox: a batch that is not kept');
    return found;
  };
  return {
    start: (call, context) =>
      conduct({ world, context, directives: parseDirectives(call.displayName ?? '', 'batch') }, () => {
        const [oldest] = kept.size < batchesMax ? [] : kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
        kept.set(call.operationId, { call, polls: 0, cancelled: false });
        return { job: call.operationId };
      }),
    poll: (job, context) =>
      conduct({ world, context, directives: [] }, async () => {
        const found = find(job);
        found.polls += 1;
        const directives = parseDirectives(found.call.displayName ?? '', 'batch');
        const polls = directives.find((directive) => directive.kind === 'polls')?.count ?? 0;
        if (found.cancelled)
          return { kind: 'done', result: { items: found.call.items.map(({ key }) => ({ key, kind: 'cancelled' })) } };
        if (found.polls <= polls) return { kind: 'running', afterMs: 100 };
        if (directives.some(({ kind }) => kind === 'filter')) throw new NotExecuted({ reason: 'failed' });
        const items = await Promise.all(found.call.items.map((item) => carryOut(answers, item, context)));
        return { kind: 'done', result: { items: items.flat() } };
      }),
    cancel: (job, context) =>
      conduct({ world, context, directives: [] }, () => {
        find(job).cancelled = true;
      }),
  };
};
