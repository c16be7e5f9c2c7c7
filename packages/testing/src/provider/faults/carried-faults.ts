import { NotExecuted, type GenerationCall, type Part } from '@tollgate/provider';
import { settingProbes, type SettingProbe } from '../cases/carried-rules.ts';
import { sampleMedia } from '../cases/media-rules.ts';
import { baseCall } from '../provider-run.ts';
import type { AnswerFault } from './answer-fault.ts';

/** The call with the values of the base in place of the setting. */
const without = (call: GenerationCall, { base, call: setting }: SettingProbe): GenerationCall => {
  const plain = new Map(Object.entries({ ...baseCall, ...base }));
  return { ...call, ...Object.fromEntries(Object.keys(setting).map((name) => [name, plain.get(name)])) };
};

/** Settings that are dropped without a word, one by one, and one that is refused without its name. */
export const carriedFaults: readonly AnswerFault[] = [
  ...settingProbes.map((probe): AnswerFault => ({
    name: `drops ${probe.name}`,
    failsCase: `carries ${probe.name}, or refuses the call by its name`,
    change: (generate) => (call, context) => generate(without(call, probe), context),
  })),
  {
    name: 'refuses a setting without its name',
    failsCase: 'carries the seed, or refuses the call by its name',
    change: (generate) => (call, context) =>
      call.sampling.seed === undefined
        ? generate(call, context)
        : Promise.reject(new NotExecuted({ reason: 'unsupported' })),
  },
];

const changingParts = (call: GenerationCall, change: (part: Part) => readonly Part[]): GenerationCall => ({
  ...call,
  contents: call.contents.map((content) => ({ ...content, parts: content.parts.flatMap(change) })),
});

const isOf = (part: Part, mimeType: string): boolean => 'mimeType' in part && part.mimeType === mimeType;

/** Reads the first chunk of a blob only. */
const cut = (part: Part): Part =>
  part.kind === 'blob'
    ? {
        ...part,
        read: async function* read() {
          for await (const chunk of part.read()) {
            yield chunk;
            return;
          }
        },
      }
    : part;

const image = 'carries an image, in the call as in a blob, or refuses it by name';

/** Media that are dropped without a word, one by one, and blobs that are refused, or cut. */
export const mediaFaults: readonly AnswerFault[] = [
  ...sampleMedia.map(({ name, mimeType }): AnswerFault => ({
    name: `drops ${name}`,
    failsCase: `carries ${name}, in the call as in a blob, or refuses it by name`,
    change: (generate) => (call, context) =>
      generate(
        changingParts(call, (part) => (isOf(part, mimeType) ? [] : [part])),
        context,
      ),
  })),
  {
    name: 'refuses every blob',
    failsCase: image,
    change: (generate) => (call, context) =>
      call.contents.some(({ parts }) => parts.some(({ kind }) => kind === 'blob'))
        ? Promise.reject(new NotExecuted({ reason: 'unsupported', field: 'contents' }))
        : generate(call, context),
  },
  {
    name: 'sends the beginning of a blob',
    failsCase: image,
    change: (generate) => (call, context) =>
      generate(
        changingParts(call, (part) => [cut(part)]),
        context,
      ),
  },
];
