import { z } from 'zod';
import { requestStatuses } from '../operation-state.ts';

// requests:get:record
/** The answer of GET /requests/{request_id}. */
export const RequestRecord = z.looseObject({
  id: z.uuid(),
  status: z.enum(requestStatuses),
  charged_credits: z.number().min(0),
  reserved_credits: z.number().min(0),
  // requests:record:response-chat
  /** What the original route answered, once it is available. */
  response: z.looseObject({}).nullable(),
  error_code: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type RequestRecord = Readonly<z.infer<typeof RequestRecord>>;
