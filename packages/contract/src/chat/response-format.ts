import { z } from 'zod';
import { JsonRecord } from '../json/json-record.ts';
import { chatBounds } from '../limits.ts';

const schemaFields = {
  name: z.string().min(1).max(chatBounds.nameCharsMax),
  /** A JSON Schema; only its depth is checked here. */
  schema: JsonRecord,
};
const text = z.strictObject({ type: z.literal('text') });
const jsonObject = z.strictObject({ type: z.literal('json_object') });

// chat:response-format:types, chat:response-format:json-schema
/** The form of the answer as the contract writes it. */
export const StrictResponseFormat = z.discriminatedUnion('type', [
  text,
  jsonObject,
  z.strictObject({ type: z.literal('json_schema'), json_schema: z.strictObject(schemaFields) }),
]);

/** The same with what the compatibility option adds: some clients write the schema beside the type. */
export const CompatResponseFormat = z.discriminatedUnion('type', [
  text,
  z.strictObject({ type: z.literal('json_object'), schema: schemaFields.schema.exactOptional() }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z
      .strictObject({
        ...schemaFields,
        description: z.string().nullable().exactOptional(),
        strict: z.boolean().nullable().exactOptional(),
      })
      .exactOptional(),
    schema: schemaFields.schema.exactOptional(),
  }),
]);

/** The form of the answer, however it was written. */
export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly schema: JsonRecord;
        readonly description?: string;
        readonly strict?: boolean;
      };
    };

/** Upstreams want a name, and a schema beside the type has none. */
const nameOfBareSchema = 'response';

const named = ({ description, strict, ...schema }: NonNullable<JsonSchemaFormat['json_schema']>): ResponseFormat => ({
  type: 'json_schema',
  json_schema: {
    ...schema,
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  },
});

type WireFormat = z.infer<typeof CompatResponseFormat>;
type JsonSchemaFormat = Extract<WireFormat, { type: 'json_schema' }>;

/** Brings a format to one form; null where a schema is given twice, or not at all where one must be. */
export const toResponseFormat = (format: WireFormat): ResponseFormat | null => {
  if (format.type === 'text') return format;
  const { schema } = format;
  const bare: ResponseFormat | null =
    schema === undefined ? null : { type: 'json_schema', json_schema: { name: nameOfBareSchema, schema } };
  if (format.type === 'json_object') return bare ?? { type: 'json_object' };
  if (format.json_schema === undefined) return bare;
  return bare === null ? named(format.json_schema) : null;
};
