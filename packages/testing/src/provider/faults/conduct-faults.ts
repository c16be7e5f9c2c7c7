import { isNotExecuted, NotExecuted, type CallContext, type Provider } from '@tollgate/provider';
import type { PromiseId } from '../provider-promises.ts';
import { breaking, lending, throwing, type Break, type ProviderFault } from '../provider-fault.ts';

interface ConductFault {
  readonly name: string;
  readonly failsCase: string;
  readonly breaks?: PromiseId;
  /** Made anew for each provider that it breaks. */
  readonly create: () => Break;
}

const deaf = (context: CallContext): CallContext => ({ ...context, signal: new AbortController().signal });

const wrongFailures: readonly ConductFault[] = [
  {
    name: 'throws an ordinary error where nothing ran',
    failsCase: 'tells invalid_request as certain non-execution, in its own words',
    create: () => throwing(() => new Error('refused')),
  },
  {
    name: 'mistakes a large input for a wrong one',
    failsCase: 'tells input_limit as certain non-execution, in its own words',
    create: () => throwing(() => new NotExecuted({ reason: 'invalid_request' })),
  },
  {
    name: 'records no attempt that failed',
    failsCase: 'tells unavailable as certain non-execution, in its own words',
    create: () => lending((context) => ({ ...context, recordAttempt: () => {} })),
  },
  {
    name: 'repeats the words of the upstream',
    failsCase: 'tells failed as certain non-execution, in its own words',
    breaks: 'P18',
    create: () =>
      throwing((failure) => {
        if (failure instanceof Error) failure.message = 'upstream said: the backend fell over for sk-secret';
        return failure;
      }),
  },
  {
    name: 'forgets when to come back',
    failsCase: 'says when to come back to a busy upstream',
    create: () => throwing(() => new NotExecuted({ reason: 'rate_limited' })),
  },
  {
    name: 'calls a lost answer a failure',
    failsCase: 'leaves the outcome unknown when the answer is lost',
    create: () => throwing(() => new NotExecuted({ reason: 'failed' })),
  },
];

const uncertain = (name: string, failsCase: string): ConductFault => ({
  name,
  failsCase,
  create: () => throwing(() => new NotExecuted({ reason: 'unavailable' })),
});

/** What an adapter makes of an upstream that asks it to come back. */
const repeating =
  (waitMs: (failure: NotExecuted) => number): Break =>
  (method) =>
  (...given) =>
    method(...given).catch(async (failure: unknown) => {
      if (!isNotExecuted(failure) || failure.reason !== 'rate_limited') throw failure;
      await new Promise((resolve) => setTimeout(resolve, waitMs(failure)));
      return method(...given);
    });

const wrongWaits: readonly ConductFault[] = [
  uncertain(
    'releases a call that a proxy answered with 502',
    'leaves the outcome unknown when a proxy got no answer from the model',
  ),
  uncertain(
    'releases a call that a proxy answered with 504',
    'leaves the outcome unknown when a proxy waited too long for the model',
  ),
  uncertain(
    'releases a call that met its own time-out',
    'leaves the outcome unknown when its own limit on time has passed',
  ),
  {
    name: 'makes up a detail of a refusal',
    failsCase: 'tells of refused content no name and no detail but those of the lists',
    create: () => throwing((failure) => Object.assign(new Error(), failure, { detail: 'a word that is not listed' })),
  },
  {
    name: 'asks a busy upstream again at once',
    failsCase: 'asks a busy upstream again not before it said, if at all',
    create: () => repeating(() => 0),
  },
  {
    name: 'does not hear the signal while it waits to repeat',
    failsCase: 'stops waiting for its next request when the gateway gives up, and does not make it',
    create: () => repeating(({ retryAfterMs }) => retryAfterMs ?? 0),
  },
];

const wrongRecords: readonly ConductFault[] = [
  {
    name: 'records no status of an answer',
    failsCase: 'keeps the attempts of calls at the same time apart',
    breaks: 'P19',
    create: () =>
      lending((context) => ({
        ...context,
        recordAttempt: (attempt) => context.recordAttempt({ ...attempt, status: null }),
      })),
  },
  {
    name: 'names itself by its key',
    failsCase: 'records every upstream request once',
    breaks: 'P18',
    create: () =>
      lending((context) => ({
        ...context,
        recordAttempt: (attempt) => context.recordAttempt({ ...attempt, provider: 'upstream of sk-secret' }),
      })),
  },
  {
    name: 'prints the words of the upstream',
    failsCase: 'tells failed as certain non-execution, in its own words',
    breaks: 'P18',
    create: () =>
      throwing((failure) => {
        console.debug('upstream said: the backend fell over');
        return failure;
      }),
  },
];

/** Writes every attempt on the call that came last. */
const mixing = (): Break => {
  let last: CallContext | undefined;
  return lending((context) => {
    last = context;
    return { ...context, recordAttempt: (attempt) => last?.recordAttempt(attempt) };
  });
};

const wrongCalls: readonly ConductFault[] = [
  {
    name: 'records an upstream request twice',
    failsCase: 'records every upstream request once',
    create: () =>
      lending((context) => ({
        ...context,
        recordAttempt: (attempt) => {
          context.recordAttempt(attempt);
          context.recordAttempt(attempt);
        },
      })),
  },
  {
    name: 'repeats a call whose answer was lost',
    failsCase: 'makes no second upstream request after one that may have run',
    create:
      () =>
      (method) =>
      (...given) =>
        method(...given).catch(() => method(...given)),
  },
  {
    name: 'writes all attempts on the call that came last',
    failsCase: 'keeps the attempts of calls at the same time apart',
    create: mixing,
  },
  {
    name: 'does not look whether the call is given up',
    failsCase: 'sends nothing for a call that is already given up',
    create: () => lending(deaf),
  },
  {
    name: 'waits whatever the gateway says',
    failsCase: 'stops waiting when the gateway gives up, and leaves the outcome unknown',
    create: () => lending(deaf),
  },
  {
    name: 'leaves a listener behind',
    failsCase: 'leaves nothing on the signal of a finished call',
    create: () =>
      lending((context) => {
        context.signal.addEventListener('abort', () => {});
        return context;
      }),
  },
];

const ways = [
  { method: 'generate', prefix: '', suffix: '' },
  { method: 'generateStream', prefix: 'as a stream: ', suffix: ', as a stream' },
  { method: 'embed', prefix: 'embedding: ', suffix: ', embedding' },
  { method: 'interactions', prefix: 'interaction: ', suffix: ', interaction' },
  { method: 'videos', prefix: 'video: ', suffix: ', video' },
  { method: 'batches', prefix: 'batch: ', suffix: ', batch' },
  { method: 'caches', prefix: 'cache: ', suffix: ', cache' },
] as const;

const neverSettling: ProviderFault = {
  name: 'never settles',
  failsCase: 'stops waiting when the gateway gives up, and leaves the outcome unknown',
  breaks: 'P32',
  wrap: breaking('generate', () => () => new Promise<never>(() => {})),
};

/** Wrong conduct of every charged method. */
export const conductFaults: readonly ProviderFault[] = [
  neverSettling,
  ...[...wrongFailures, ...wrongWaits, ...wrongRecords, ...wrongCalls].flatMap(({ name, failsCase, breaks, create }) =>
    ways.map(({ method, prefix, suffix }) => ({
      name: `${name}${suffix}`,
      failsCase: `${prefix}${failsCase}`,
      breaks,
      wrap: (right: Provider) => breaking(method, create())(right),
    })),
  ),
];
