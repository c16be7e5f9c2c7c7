import { z } from 'zod';

/** The error form of the model and request queries [errors:format:string]. */
export const ErrorText = z.strictObject({ error: z.string() });
export type ErrorText = Readonly<z.infer<typeof ErrorText>>;

/** Characters of the name of a field. */
const paramCharsMax = 64;

/** The error form of every other route [errors:format:object]. */
export const ErrorObject = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    /** Present exactly when the operation was registered [errors:format:request-id]. */
    request_id: z.uuid().exactOptional(),
    param: z
      .string()
      .max(paramCharsMax)
      .meta({ description: 'The field that the provider of the model refused; present where it named one.' })
      .exactOptional(),
  }),
});
export type ErrorObject = Readonly<z.infer<typeof ErrorObject>>;
