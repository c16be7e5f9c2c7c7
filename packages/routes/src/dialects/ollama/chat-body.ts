import { chatBounds, limits, MediaData } from '@tollgate/contract';
import { z } from 'zod';

const { textFieldCharsMax, stopSequencesMax, penaltyMin, penaltyMax } = chatBounds;
const { temperatureMin, temperatureMax } = limits.chat;
/** Images of one message. */
const imagesMax = 1_000;
const stopText = z.string().min(1).max(textFieldCharsMax);
const penalty = z.number().min(penaltyMin).max(penaltyMax);
/** What a machine that runs a model itself is set to; the models of this service run elsewhere. */
const ofMachine = z.union([z.number(), z.boolean()]).nullish();

/** Options with one value say what happens in any case: without them, models choose as these say. */
const Options = z.strictObject({
  num_predict: z.int().min(-2).nullish(),
  temperature: z.number().min(temperatureMin).max(temperatureMax).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  seed: z.int().nullish(),
  stop: z.union([stopText, z.array(stopText).max(stopSequencesMax)]).nullish(),
  frequency_penalty: penalty.nullish(),
  presence_penalty: penalty.nullish(),
  repeat_penalty: z.literal(1).nullish(),
  repeat_last_n: z.int().nullish(),
  min_p: z.literal(0).nullish(),
  typical_p: z.literal(1).nullish(),
  tfs_z: z.literal(1).nullish(),
  mirostat: z.literal(0).nullish(),
  num_ctx: ofMachine,
  num_batch: ofMachine,
  num_gpu: ofMachine,
  num_keep: ofMachine,
  num_thread: ofMachine,
  main_gpu: ofMachine,
  low_vram: ofMachine,
  numa: ofMachine,
  use_mmap: ofMachine,
  use_mlock: ofMachine,
});
export type Options = z.infer<typeof Options>;

/** Fields of both ways to generate. */
const shared = {
  model: z.string().min(1).max(textFieldCharsMax).nullish(),
  stream: z.boolean().nullish(),
  format: z.union([z.enum(['', 'json']), z.record(z.string(), z.unknown())]).nullish(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high', 'max'])]).nullish(),
  options: Options.nullish(),
  keep_alive: z.union([z.string().max(textFieldCharsMax), z.number()]).nullish(),
  truncate: z.boolean().nullish(),
  shift: z.boolean().nullish(),
  logprobs: z.literal(false).nullish(),
  top_logprobs: z.literal(0).nullish(),
};

/** The fields of a chat beside its messages and its tools. */
export const ChatFields = z.strictObject({
  // Read apart; here, so that a refusal of another field names them as well.
  messages: z.unknown().optional(),
  tools: z.unknown().optional(),
  ...shared,
});
export type ChatFields = z.infer<typeof ChatFields>;

const Images = z.array(MediaData).max(imagesMax).nullish();

export const GenerateFields = z.strictObject({
  ...shared,
  prompt: z.string().min(1),
  system: z.string().nullish(),
  images: Images,
  suffix: z.literal('').nullish(),
  template: z.literal('').nullish(),
  raw: z.literal(false).nullish(),
  context: z.array(z.never()).nullish(),
});
export type GenerateFields = z.infer<typeof GenerateFields>;

const Call = z.looseObject({
  id: z.string().min(1).max(textFieldCharsMax).nullish(),
  function: z.looseObject({
    name: z.string().min(1).max(textFieldCharsMax),
    arguments: z.record(z.string(), z.unknown()).nullish(),
  }),
});
export type Call = z.infer<typeof Call>;

/** Members of a message that this service does not know are passed over, as clients send back what they were sent. */
export const Message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  images: Images,
  tool_calls: z.array(Call).max(chatBounds.toolCallsPerMessageMax).nullish(),
  tool_name: z.string().max(textFieldCharsMax).nullish(),
  tool_call_id: z.string().max(textFieldCharsMax).nullish(),
});
export type Message = z.infer<typeof Message>;

export const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1).max(textFieldCharsMax),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});
