import { z } from 'zod';
import { JsonRecord } from '../../json/json-record.ts';
import { interactionBounds, limits } from '../../limits.ts';

const { textFieldCharsMax, stopSequencesMax, listEntriesMax } = interactionBounds;
const { temperatureMin, temperatureMax, topPMin, topPMax } = limits.interaction;
const textField = z.string().min(1).max(textFieldCharsMax);
const texts = z.array(textField).min(1).max(listEntriesMax);

// interactions:response-format:fields
/** What is to come out. */
export const InteractionFormat = z.strictObject({
  type: z.enum(['text', 'json', 'image', 'audio', 'video']),
  /** JSON Schema of the answer; only where `type` is `json`. */
  schema: JsonRecord.exactOptional(),
  aspect_ratio: textField.exactOptional(),
  resolution: textField.exactOptional(),
});
export type InteractionFormat = Readonly<z.infer<typeof InteractionFormat>>;

// interactions:agent-config:fields
/** How an agent works; refused where the model is none. */
export const AgentConfig = z.strictObject({
  collaborative_planning: z.boolean().exactOptional(),
  visualization: z.enum(['off', 'auto']).exactOptional(),
  thinking_summaries: z.enum(['none', 'auto']).exactOptional(),
});
export type AgentConfig = Readonly<z.infer<typeof AgentConfig>>;

const TranscriptionMode = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('smart') }),
  z.strictObject({
    type: z.literal('verbatim'),
    diarization_mode: z.literal('speaker').exactOptional(),
    timestamp_granularities: texts.exactOptional(),
  }),
]);

// interactions:generation-config:sampling
/** generation_config of an interaction. */
export const InteractionConfig = z.strictObject({
  temperature: z.number().min(temperatureMin).max(temperatureMax).exactOptional(),
  top_p: z.number().min(topPMin).max(topPMax).exactOptional(),
  seed: z.int().exactOptional(),
  stop_sequences: z.array(textField).max(stopSequencesMax).exactOptional(),
  thinking_level: z.enum(['minimal', 'low', 'medium', 'high']).exactOptional(),
  speech_config: z
    .strictObject({ voice: textField.exactOptional(), language: textField.exactOptional() })
    .exactOptional(),
  transcription_config: z
    .strictObject({
      language_codes: texts.exactOptional(),
      custom_vocabulary: texts.exactOptional(),
      mode: TranscriptionMode.exactOptional(),
    })
    .exactOptional(),
  video_config: z
    .strictObject({
      task: z.enum(['text_to_video', 'image_to_video', 'reference_to_video', 'edit', 'extend']).exactOptional(),
    })
    .exactOptional(),
});
export type InteractionConfig = Readonly<z.infer<typeof InteractionConfig>>;
