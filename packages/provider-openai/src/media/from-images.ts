import {
  asArray,
  asCount,
  asObject,
  asText,
  splitTotal,
  UnknownOutcome,
  withUsageAtLeast,
  type Generation,
  type MediaPart,
  type Usage,
} from '@tollgate/provider';
import { fromErrorInAnswer } from '../from-openai-error.ts';

/** Tokens where the upstream counts them, else the images that came. */
const usageOf = (value: unknown, images: number): readonly Usage[] => {
  const usage = asObject(value);
  const input = asCount(usage?.['input_tokens']);
  const output = asCount(usage?.['output_tokens']);
  if (usage === undefined || input === undefined || output === undefined)
    return [{ unit: 'images', quantity: images, confirmed: true }];
  const seen = asCount(asObject(usage['input_tokens_details'])?.['image_tokens']) ?? 0;
  const written = asCount(asObject(usage['output_tokens_details'])?.['text_tokens']) ?? 0;
  const units = [
    ...splitTotal(input, 'input_text_tokens', [['input_image_tokens', seen]]),
    ...splitTotal(output, 'output_image_tokens', [['output_text_tokens', written]]),
  ];
  return units.map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));
};

interface FromImagesOptions {
  readonly apiKey: string | undefined;
  /** The format that was asked for; the upstream's own default is PNG. */
  readonly format: string | undefined;
}

/** Reads the body of a 2xx answer of `/images`. Throws where there is no image in it. */
export const fromImages = (body: unknown, { apiKey, format }: FromImagesOptions): Generation => {
  const answer = asObject(body);
  const data = asArray(answer?.['data']);
  if (answer === undefined || data.length === 0)
    throw fromErrorInAnswer(body, apiKey) ?? new UnknownOutcome('unreadable_answer');
  const mimeType = `image/${asText(answer['output_format']) ?? format ?? 'png'}`;
  const usage = usageOf(answer['usage'], data.length);
  const parts = data.map((value): MediaPart => {
    const base64 = asText(asObject(value)?.['b64_json']);
    // An address is no image: it would be gone before a replay.
    if (base64 === undefined) throw withUsageAtLeast(new UnknownOutcome('unreadable_answer'), usage);
    return { kind: 'media', mimeType, data: base64 };
  });
  return { text: '', functionCalls: [], parts, finish: 'stop', usage };
};
