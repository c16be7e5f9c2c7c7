import { z } from 'zod';

/** The error form of the model and request queries [errors:format:string]. */
export const ErrorText = z.strictObject({ error: z.string() });
export type ErrorText = Readonly<z.infer<typeof ErrorText>>;

/** The error form of every other route [errors:format:object]. */
export const ErrorObject = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    /** Present exactly when the operation was registered [errors:format:request-id]. */
    request_id: z.uuid().exactOptional(),
  }),
});
export type ErrorObject = Readonly<z.infer<typeof ErrorObject>>;
