import { z } from 'zod';
import { OperationReceipt } from '../chat/chat-completion.ts';
import { statesByKind, type ResourceKind } from './resource-state.ts';

/** The members that the record of a kind adds, and those of its result beside the receipt; null where it never has a result. */
export interface ResourceMembers {
  readonly shown: z.ZodRawShape;
  readonly result: z.ZodRawShape | null;
}

/** How a kind is answered: alone, in the list envelope, and by DELETE. Each is built for the brand that names the receipt. */
export interface ResourceRecordSchemas {
  readonly record: (brand: string) => z.ZodType;
  readonly list: (brand: string) => z.ZodType;
  readonly deleted: (brand: string) => z.ZodType;
}

const common = (kind: ResourceKind) => ({
  id: z.uuid(),
  object: z.literal(kind),
  request_id: z.uuid().meta({ description: 'The same as id: GET /requests/{id} finds it.' }),
  status: z.enum(statesByKind[kind]),
  model: z.string(),
  display_name: z.string().nullable(),
  charged_credits: z.number().min(0),
  reserved_credits: z.number().min(0),
  error_code: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
});

const resultSchema = (brand: string, members: z.ZodRawShape | null): z.ZodType =>
  members === null ? z.null() : z.looseObject({ ...members, [brand]: OperationReceipt }).nullable();

// resources:record:common, resources:list:envelope, resources:delete:response
/** The record of an asynchronous kind. */
export const resourceRecordSchemas = (kind: ResourceKind, members: ResourceMembers): ResourceRecordSchemas => {
  const built = new Map<string, z.ZodObject>();
  const record = (brand: string): z.ZodObject => {
    const known = built.get(brand);
    if (known !== undefined) return known;
    const result = resultSchema(brand, members.result);
    const schema = z.looseObject({ ...common(kind), ...members.shown, result });
    built.set(brand, schema);
    return schema;
  };
  return {
    record,
    list: (brand) => z.looseObject({ object: z.literal('list'), data: z.array(record(brand)) }),
    deleted: (brand) =>
      z.looseObject({ ...record(brand).shape, status: z.literal('deleted'), deleted: z.literal(true) }),
  };
};
