import { z } from 'zod';
import { requestStatuses } from '../operation-state.ts';

/** The answer of GET /requests/{request_id} [requests:get:record]. */
export const RequestRecord = z.looseObject({
  id: z.uuid(),
  status: z.enum(requestStatuses),
  charged_credits: z.number().min(0),
  reserved_credits: z.number().min(0),
  /** What the original route answered, once it is available [requests:record:response-chat]. */
  response: z.looseObject({}).nullable(),
  error_code: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type RequestRecord = Readonly<z.infer<typeof RequestRecord>>;
