import { NotExecuted, type CallContext } from '@tollgate/provider';
import { breaking, lending, throwing, type Break, type ProviderFault } from '../provider-fault.ts';

interface ConductFault {
  readonly name: string;
  readonly failsCase: string;
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
    name: 'records a wire call twice',
    failsCase: 'records every wire call once',
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
    failsCase: 'makes no second wire call after one that may have run',
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

/** Wrong conduct of every charged method. */
export const conductFaults: readonly ProviderFault[] = [...wrongFailures, ...wrongCalls].flatMap(
  ({ name, failsCase, create }) =>
    ways.map(({ method, prefix, suffix }) => ({
      name: `${name}${suffix}`,
      failsCase: `${prefix}${failsCase}`,
      wrap: (right) => breaking(method, create())(right),
    })),
);
