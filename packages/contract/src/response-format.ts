import { z } from 'zod';
import { chatBounds } from './limits.ts';

const format = {
  name: z.string().min(1).max(chatBounds.nameCharsMax),
  /** A JSON Schema; only its depth is checked here. */
  schema: z.record(z.string(), z.unknown()),
};
const text = z.strictObject({ type: z.literal('text') });
const jsonObject = z.strictObject({ type: z.literal('json_object') });

/** The form of the answer as the contract writes it [chat:response-format:types] [chat:response-format:json-schema]. */
export const StrictResponseFormat = z.discriminatedUnion('type', [
  text,
  jsonObject,
  z.strictObject({ type: z.literal('json_schema'), json_schema: z.strictObject(format) }),
]);

/** The same with what the compatibility option adds. */
export const CompatResponseFormat = z.discriminatedUnion('type', [
  text,
  jsonObject,
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      ...format,
      description: z.string().exactOptional(),
      strict: z.boolean().nullable().exactOptional(),
    }),
  }),
]);
export type ResponseFormat = z.infer<typeof CompatResponseFormat>;
