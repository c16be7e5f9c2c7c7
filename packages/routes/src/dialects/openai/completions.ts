import { chatBounds, isRecord, limits, noObjectError, readAt } from '@tollgate/contract';
import { doneEvent } from '@tollgate/sse';
import { z } from 'zod';
import { usageOf } from '../../chat/encode-completion.ts';
import { chatFieldNames, namesOf } from '../../field-names.ts';
import { present } from '../../present.ts';
import { errorText } from '../../render-error.ts';
import { dataEvent } from '../../stream-in-time.ts';
import type {
  AnswerHead,
  AskedGeneration,
  GenerationDialect,
  SettledAnswer,
} from '../generation/generation-dialect.ts';
import type { AnswerPart } from '../generation/kept-answer.ts';

const { textFieldCharsMax, stopSequencesMax, penaltyMin, penaltyMax } = chatBounds;
const { temperatureMin, temperatureMax } = limits.chat;
const stopText = z.string().min(1).max(textFieldCharsMax);
const penalty = z.number().min(penaltyMin).max(penaltyMax);

/** Fields with one value say what happens in any case. */
const Fields = z.strictObject({
  model: z.string().min(1).max(textFieldCharsMax).nullish(),
  prompt: z.union([z.string().min(1), z.array(z.string().min(1)).length(1)]),
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(temperatureMin).max(temperatureMax).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([stopText, z.array(stopText).max(stopSequencesMax)]).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: penalty.nullish(),
  presence_penalty: penalty.nullish(),
  user: z.string().max(textFieldCharsMax).nullish(),
  n: z.literal(1).nullish(),
  best_of: z.literal(1).nullish(),
  echo: z.literal(false).nullish(),
  logprobs: z.literal(0).nullish(),
});
type Fields = z.infer<typeof Fields>;

/** As the clients of this wire know it. */
const maxTokensDefault = 16;

const toSampling = ({ stop, ...fields }: Fields) => ({
  ...present('temperature', fields.temperature),
  ...present('topP', fields.top_p),
  ...present('seed', fields.seed),
  ...present('frequencyPenalty', fields.frequency_penalty || null),
  ...present('presencePenalty', fields.presence_penalty || null),
  ...present('stopSequences', typeof stop === 'string' ? [stop] : stop?.length === 0 ? null : stop),
});

const read = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const fields = readAt(Fields, body);
  const [prompt = ''] = [fields.prompt].flat();
  return {
    model: fields.model ?? undefined,
    stream: fields.stream === true,
    fileIds: [],
    callIds: [],
    echo: { usage: fields.stream_options?.include_usage === true },
    toCall: (model) => ({
      upstreamModel: model.upstreamId,
      systemInstruction: null,
      contents: [{ role: 'user', parts: [{ kind: 'text', text: prompt }] }],
      tools: [],
      toolChoice: { kind: 'auto' },
      responseFormat: { kind: 'text' },
      sampling: toSampling(fields),
      outputTokensMax: Math.min(fields.max_tokens ?? maxTokensDefault, model.maxOutputTokens),
      ...present('endUser', fields.user || null),
    }),
  };
};

const textIn = (parts: readonly AnswerPart[]): string =>
  parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');

const headOf = ({ id, createdAtMs, model }: AnswerHead) => ({
  id: `cmpl-${id}`,
  object: 'text_completion',
  created: Math.floor(createdAtMs / 1_000),
  model,
});

const choice = (text: string, reason: string | null) => [{ text, index: 0, logprobs: null, finish_reason: reason }];

/** Why it ended, then the usage if the client asked for it, and the credits in the last chunk. */
const writeEnd = (head: AnswerHead, { answer, operation, receipt }: SettledAnswer): string => {
  const last = { ...headOf(head), choices: choice('', answer.finish) };
  if (head.echo['usage'] !== true) return dataEvent(JSON.stringify({ ...last, ...receipt })) + doneEvent;
  const closing = { ...headOf(head), choices: [], usage: usageOf(operation), ...receipt };
  return dataEvent(JSON.stringify(last)) + dataEvent(JSON.stringify(closing)) + doneEvent;
};

/** The wire that came before chat: `POST /completions`, whole and streamed. */
export const completions: GenerationDialect = {
  name: 'openai-completions',
  path: '/completions',
  mediaPlaces: [],
  dataUrls: false,
  fieldNames: namesOf({ ...Object.fromEntries(chatFieldNames), contents: 'prompt' }),
  schemaField: 'prompt',
  read,
  openStream: (head) => ({
    piece: (parts) => {
      const text = textIn(parts);
      return text === '' ? '' : dataEvent(JSON.stringify({ ...headOf(head), choices: choice(text, null) }));
    },
    end: (settled) => writeEnd(head, settled),
    fail: (error) => dataEvent(errorText(error)),
  }),
  writeWhole: (head, { answer, operation, receipt }) =>
    JSON.stringify({
      ...headOf(head),
      choices: choice(textIn(answer.parts), answer.finish),
      usage: usageOf(operation),
      ...receipt,
    }),
};
