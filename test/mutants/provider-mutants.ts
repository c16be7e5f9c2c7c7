import type { Mutant } from './mutant.ts';

type CasesFile =
  | 'conduct-cases'
  | 'stream-cases'
  | 'poll-cases'
  | 'measure-rules'
  | 'wholeness-rules'
  | 'carried-rules'
  | 'media-rules'
  | 'context-rules'
  | 'answer-cases';

/** A wrong adapter: the Messages provider over its socket, with one fault, and the case of the provider suite that fails. */
const messages = (
  name: string,
  [file, search, replace]: readonly [file: string, search: string, replace: string],
  [cases, title]: readonly [cases: CasesFile, title: string],
): Mutant => ({
  name: `an adapter ${name}`,
  file: file.includes('/') ? `packages/${file}` : `packages/provider-anthropic/src/${file}`,
  search,
  replace,
  test: {
    project: 'unit',
    file: 'packages/provider-anthropic/src/describe-anthropic.test.ts',
    cases: `packages/testing/src/provider/cases/${cases}.ts`,
    title,
  },
});

const certainties: readonly Mutant[] = [
  messages(
    'releases a call that was refused after its answer began',
    ['answer-stream.ts', 'fromErrorInAnswer(event, message.head !== undefined,', 'fromErrorInAnswer(event, false,'],
    ['stream-cases', 'fails after it began, before a piece'],
  ),
  messages(
    'releases a call that a proxy answered with 502',
    ['provider/src/upstream-status.ts', '[500, 501, 503, 529]', '[500, 501, 502, 503, 529]'],
    ['conduct-cases', 'a proxy got no answer from the model'],
  ),
  messages(
    'releases a call that a proxy answered with 504',
    ['provider/src/upstream-status.ts', '[500, 501, 503, 529]', '[500, 501, 503, 504, 529]'],
    ['conduct-cases', 'a proxy waited too long for the model'],
  ),
  messages(
    'releases a call that met its own time-out',
    [
      'provider-http/src/exchange.ts',
      'if (controller !== undefined) settle(lost',
      "if (controller !== undefined && detail !== 'timed_out') settle(lost",
    ],
    ['conduct-cases', 'its own limit on time has passed'],
  ),
  messages(
    'takes a stream that ended without its end for an answer',
    ['answer-stream.ts', 'const isWhole = message.isStopped && ', 'const isWhole = '],
    ['stream-cases', 'ends cleanly before it said how it ended'],
  ),
  messages(
    'takes a refused question for a batch that failed',
    [
      'batch-jobs.ts',
      "? new UnknownOutcome('not_answered', failure) :",
      "? new NotExecuted({ reason: 'failed', cause: failure }) :",
    ],
    ['poll-cases', 'does not take a question that was refused for a job that failed'],
  ),
];

const measures: readonly Mutant[] = [
  messages(
    'takes the input for the whole where the output was not counted',
    [
      'from-anthropic-usage.ts',
      'input === undefined || output === undefined) return new Map();',
      'input === undefined) return new Map();\n  if (output === undefined) return new Map(inputOf(usage, input));',
    ],
    ['measure-rules', 'whose output was not measured to its end'],
  ),
  messages(
    'takes the output of a beginning for the whole where there is no other count',
    ['streamed-message.ts', 'usage: message.isMeasured ? message.usage : undefined', 'usage: message.usage'],
    ['measure-rules', 'whose output was not measured to its end'],
  ),
  messages(
    'takes the first count of a stream for the last',
    ['streamed-message.ts', '{ ...message.usage, ...said(usage) }', '{ ...said(usage), ...message.usage }'],
    ['stream-cases', 'takes the last count of its tokens for the whole'],
  ),
  messages(
    'leaves out what was written to a cache',
    ['from-anthropic-usage.ts', '...splitTotal(written,', '...splitTotal(0,'],
    ['measure-rules', 'counts what was written to a cache, and once'],
  ),
];

const answers: readonly Mutant[] = [
  messages(
    'cuts long arguments of a stream',
    ['block-reader.ts', '[readCall(reader, block, written)]', '[readCall(reader, block, written.slice(0, 1_000))]'],
    ['wholeness-rules', 'hands on the whole of long arguments'],
  ),
  messages(
    'returns a call that was cut as one without arguments',
    ['run-answer.ts', 'return isUnwritten && isCutAtLimit(message)', 'return isUnwritten && isCutAtLimit({})'],
    ['wholeness-rules', 'tells no call that was cut before its arguments'],
  ),
  messages(
    'hands a call that was cut over as one without arguments',
    ['answer-stream.ts', 'return isCutAtLimit(message.end) ? [] : releaseHeld(state);', 'return releaseHeld(state);'],
    ['wholeness-rules', 'tells no call that was cut before its arguments'],
  ),
  messages(
    'takes an end that it does not know for success',
    ['finish-reason.ts', "default:\n      return 'length';", "default:\n      return 'stop';"],
    ['wholeness-rules', 'does not take an end that it does not know for success'],
  ),
  messages(
    'hands something over after its end',
    [
      'run-answer.ts',
      'const finish = await runRounds(run);',
      "const finish = await runRounds(run);\n    setTimeout(() => job.onParts([{ kind: 'text', text: 'late' }]), 20);",
    ],
    ['stream-cases', 'hands nothing over after its end'],
  ),
  messages(
    'throws at a context that is no JSON',
    [
      'turn-state.ts',
      "asObject(parseClientJson(context));\n  return asArray(state?.['thoughts'])",
      "asObject(JSON.parse(context));\n  return asArray(state?.['thoughts'])",
    ],
    ['context-rules', 'takes no forged context for a reason to fail'],
  ),
];

const secrets: readonly Mutant[] = [
  messages(
    'hands the words of an error over before it throws',
    [
      'answer-stream.ts',
      'options.apiKey);\n      return [];',
      "options.apiKey);\n      return [{ kind: 'text', text: JSON.stringify(event) }];",
    ],
    ['stream-cases', 'when the upstream fails after a piece'],
  ),
  messages(
    'prints the body of an error',
    [
      'from-anthropic-error.ts',
      "const cut = text.replaceAll(apiKey, '[key]');",
      "const cut = text.replaceAll(apiKey, '[key]');\n  console.error(cut);",
    ],
    ['conduct-cases', 'as certain non-execution, in its own words'],
  ),
  messages(
    'names itself by its key in its attempts',
    ['send.ts', 'recordAttempt({ startedAtMs,', 'recordAttempt({ provider: upstream.apiKey, startedAtMs,'],
    ['conduct-cases', 'keeps the attempts of calls at the same time apart'],
  ),
  messages(
    'records no status of an answer',
    ['send.ts', "return { status, outcome: 'answered' }", "return { status: null, outcome: 'answered' }"],
    ['conduct-cases', 'keeps the attempts of calls at the same time apart'],
  ),
];

const waits: readonly Mutant[] = [
  messages(
    'does not hear the signal while it waits to repeat',
    [
      'provider-http/src/retry-wait.ts',
      'await sleep(waitMs, signal)',
      'await sleep(waitMs, new AbortController().signal)',
    ],
    ['conduct-cases', 'stops waiting for its next request when the gateway gives up'],
  ),
  messages(
    'asks a busy upstream again before it said',
    ['provider-http/src/retry-wait.ts', 'failure.retryAfterMs ?? waitMsFirst', 'waitMsFirst'],
    ['conduct-cases', 'asks a busy upstream again not before it said, if at all'],
  ),
];

const carried: readonly Mutant[] = [
  messages(
    'drops the output limit',
    ['to-anthropic.ts', 'max_tokens: call.outputTokensMax', 'max_tokens: 4_096'],
    ['carried-rules', 'the output limit'],
  ),
  messages(
    'drops the system instruction',
    ['to-anthropic.ts', '{ system, tools, messages }', '{ system: undefined, tools, messages }'],
    ['carried-rules', 'the system instruction'],
  ),
  messages(
    'drops stop sequences',
    ['to-anthropic.ts', '? undefined : sampling.stopSequences', '? undefined : undefined'],
    ['carried-rules', 'stop sequences'],
  ),
  messages(
    'drops the seed',
    ['carried-settings.ts', 'if (sampling.seed !== undefined)', 'if (sampling.seed === -1)'],
    ['carried-rules', 'the seed'],
  ),
  messages(
    'drops the choice of no function',
    ['to-tools.ts', "{ type: 'none' }", "{ type: 'auto' }"],
    ['carried-rules', 'the choice of no function'],
  ),
  messages(
    'drops what a call says of thinking',
    ['to-thinking.ts', 'if (thinking === undefined) return {};', 'if (thinking !== null) return {};'],
    ['carried-rules', 'the level of thinking'],
  ),
  messages(
    'drops what the model said before',
    ['to-messages.ts', ': toText(part.text);\n    case', ': [];\n    case'],
    ['carried-rules', 'the turns of the past'],
  ),
  messages(
    'drops the results of functions',
    ['to-messages.ts', "content: response === '' ? undefined : response,", 'content: undefined,'],
    ['carried-rules', 'function calls and their results'],
  ),
  messages(
    'drops images, PDF files and texts',
    ['to-messages.ts', 'return [toMediaBlock(part)];', 'return [];'],
    ['media-rules', 'in the call as in a blob, or refuses it by name'],
  ),
  messages(
    'refuses every blob',
    [
      'carried-settings.ts',
      'return isReadable(part.mimeType) ? undefined',
      "return part.kind === 'media' && isReadable(part.mimeType) ? undefined",
    ],
    ['media-rules', 'in the call as in a blob, or refuses it by name'],
  ),
];

/** Adapters that the provider suite once let through. */
export const providerMutants: readonly Mutant[] = [
  ...certainties,
  ...measures,
  ...answers,
  ...secrets,
  ...waits,
  ...carried,
];
