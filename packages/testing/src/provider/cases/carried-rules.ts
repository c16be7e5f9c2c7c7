import assert from 'node:assert/strict';
import type { CallField, Content, GenerationCall } from '@tollgate/provider';
import { answerOf, refusalOf, weatherTool } from '../provider-run.ts';
import type { AnswerRule } from './answer-rule.ts';

/** A setting with a value that no upstream has by itself. */
export interface SettingProbe {
  /** In a title: what is carried. */
  readonly name: string;
  readonly call: Partial<GenerationCall>;
  /** What the upstream must be sent; without any, it must be sent something else than for the base. */
  readonly words: readonly string[];
  /** The call without the setting. */
  readonly base: Partial<GenerationCall>;
  /** By which the call may be refused; none where it may not. */
  readonly refusedAs: readonly CallField[];
}

const plain: Partial<GenerationCall> = { systemInstruction: null, sampling: {} };

const worded = (
  name: string,
  call: Partial<GenerationCall>,
  words: readonly string[],
  ...refusedAs: readonly CallField[]
): SettingProbe => ({ name, call: { ...plain, ...call }, words, base: plain, refusedAs });

const differing = (
  name: string,
  call: Partial<GenerationCall>,
  refusedAs: readonly CallField[],
  base: Partial<GenerationCall> = {},
): SettingProbe => ({ name, call: { ...plain, ...base, ...call }, words: [], base: { ...plain, ...base }, refusedAs });

const said = (role: Content['role'], text: string): Content => ({ role, parts: [{ kind: 'text', text }] });

const history: readonly Content[] = [
  said('user', 'probe-first-question'),
  said('model', 'probe-first-answer'),
  said('user', 'probe-second-question'),
];

const called: readonly Content[] = [
  said('user', 'What is the weather?'),
  {
    role: 'model',
    parts: [{ kind: 'function_call', id: 'call_probe', name: 'get_weather', arguments: '{"city":"probe-argument"}' }],
  },
  {
    role: 'user',
    parts: [
      { kind: 'function_response', id: 'call_probe', name: 'get_weather', response: '{"weather":"probe-result"}' },
    ],
  },
];

const probeTool = {
  kind: 'function',
  name: 'probe_function',
  description: 'probe-description',
  parameters: { type: 'object', properties: { probe_parameter: { type: 'string' } }, required: ['probe_parameter'] },
} as const;

const schema = { type: 'object', properties: { probe_property: { type: 'string' } }, required: ['probe_property'] };
const withTools = { tools: [weatherTool, probeTool] };

/** Settings that change what is returned or paid. Hints that change neither are left out: `endUser`, `promptCache`. */
export const settingProbes: readonly SettingProbe[] = [
  worded(
    'the system instruction',
    { systemInstruction: 'probe-instruction' },
    ['probe-instruction'],
    'systemInstruction',
  ),
  worded(
    'the turns of the past',
    { contents: history },
    history.flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : ''))),
  ),
  worded(
    'function calls and their results',
    { contents: called, tools: [weatherTool] },
    ['probe-argument', 'probe-result'],
    'contents',
    'tools',
  ),
  worded('functions', { tools: [probeTool] }, ['probe_function', 'probe-description', 'probe_parameter'], 'tools'),
  differing(
    'the choice of a function',
    { toolChoice: { kind: 'function', name: 'probe_function' } },
    ['toolChoice', 'tools'],
    withTools,
  ),
  differing('the choice of any function', { toolChoice: { kind: 'required' } }, ['toolChoice', 'tools'], withTools),
  differing('the choice of no function', { toolChoice: { kind: 'none' } }, ['toolChoice', 'tools'], withTools),
  worded(
    'a schema of the answer',
    { responseFormat: { kind: 'json_schema', name: 'probe', schema: { ...schema, additionalProperties: false } } },
    ['probe_property'],
    'responseFormat',
  ),
  differing('an answer in JSON', { responseFormat: { kind: 'json_object' } }, ['responseFormat']),
  worded('the output limit', { outputTokensMax: 48_151 }, ['48151']),
  worded('the temperature', { sampling: { temperature: 0.37 } }, ['0.37'], 'temperature'),
  differing('a temperature of 0', { sampling: { temperature: 0 } }, ['temperature']),
  worded('top p', { sampling: { topP: 0.83 } }, ['0.83'], 'topP'),
  worded('top k', { sampling: { topK: 29 } }, ['29'], 'topK'),
  worded('the seed', { sampling: { seed: 6_234_217 } }, ['6234217'], 'seed'),
  differing('a seed of 0', { sampling: { seed: 0 } }, ['seed']),
  worded('stop sequences', { sampling: { stopSequences: ['probe-stop'] } }, ['probe-stop'], 'stopSequences'),
  worded('the frequency penalty', { sampling: { frequencyPenalty: 0.61 } }, ['0.61'], 'frequencyPenalty'),
  worded('the presence penalty', { sampling: { presencePenalty: 0.47 } }, ['0.47'], 'presencePenalty'),
  differing('the level of thinking', { thinking: { level: 'high' } }, ['thinking']),
  differing('the budget of thinking', { thinking: { budgetTokens: 4_321 } }, ['thinking'], { outputTokensMax: 9_000 }),
  differing('a budget of no thinking', { thinking: { budgetTokens: 0 } }, ['thinking']),
  differing('the service tier priority', { serviceTier: 'priority' }, ['serviceTier']),
  differing('the service tier flex', { serviceTier: 'flex' }, ['serviceTier']),
  worded(
    'the domains of a search',
    { tools: [{ kind: 'web_search', allowedDomains: ['probe.example'] }] },
    ['probe.example'],
    'tools',
  ),
  worded(
    'the domains that a search leaves out',
    { tools: [{ kind: 'web_search', blockedDomains: ['probe.example'] }] },
    ['probe.example'],
    'tools',
  ),
  differing('the limit of a search', { tools: [{ kind: 'web_search', usesMax: 3 }] }, ['tools'], {
    tools: [{ kind: 'web_search' }],
  }),
  differing('the modalities of the answer', { modalities: ['text', 'image'] }, ['modalities']),
  differing('the form of images', { image: { aspectRatio: '21:9', size: '2K' } }, ['image', 'modalities']),
  differing('the voice', { modalities: ['audio'], speech: { kind: 'one_voice', voice: 'probe-voice' } }, [
    'speech',
    'modalities',
  ]),
  differing('the format of audio', { modalities: ['audio'], audioFormat: 'mp3' }, ['audioFormat', 'modalities'], {
    modalities: ['audio'],
  }),
  differing('the resolution of media', { mediaResolution: 'low' }, ['mediaResolution']),
  worded(
    'settings of safety',
    { safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }] },
    ['HARM_CATEGORY_HARASSMENT', 'BLOCK_ONLY_HIGH'],
    'safety',
  ),
];

/** Whether the text has the word, and a number as a whole. */
const has = (text: string, word: string): boolean =>
  /^[\d.]+$/.test(word)
    ? new RegExp(`(?<![\\d.])${word.replace('.', '\\.')}(?![\\d.])`).test(text)
    : text.includes(word);

const toRule = ({ name, call, words, base, refusedAs }: SettingProbe): AnswerRule => ({
  title: `carries ${name}, or refuses the call by its name`,
  promise: 'P12',
  run: async (underTest, ask) => {
    const run = await ask(underTest, 'text', { call });
    if (run.answer === undefined) {
      const { reason, field } = refusalOf(run);
      assert.deepEqual([reason, run.attempts], ['unsupported', []], 'not refused before anything is sent');
      assert.ok(
        field !== undefined && refusedAs.includes(field),
        `refused as ${field}, not as ${refusedAs.join(' or ')}`,
      );
      return;
    }
    answerOf(run);
    const sent = await underTest.sentBody();
    for (const word of words) assert.ok(has(sent, word), `the upstream is not sent ${word}`);
    if (words.length > 0) return;
    const before = await ask(underTest, 'text', { call: base });
    if (before.answer === undefined) return;
    assert.notEqual(sent, await underTest.sentBody(), `the upstream is sent the same without ${name}`);
  },
});

/** Each setting is carried, or refused by name before anything is sent. */
export const carriedRules: readonly AnswerRule[] = settingProbes.map(toRule);
