import { z } from 'zod';

// errors:format:string
/** The error form of the model and request queries. */
export const ErrorText = z.strictObject({ error: z.string() });
export type ErrorText = Readonly<z.infer<typeof ErrorText>>;

/** Characters of the name of a field. */
const paramCharsMax = 64;

// errors:format:object
/** The error form of every other route. */
export const ErrorObject = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    // errors:format:request-id
    /** Present exactly when the operation was registered. */
    request_id: z.uuid().exactOptional(),
    param: z
      .string()
      .max(paramCharsMax)
      .meta({ description: 'The field that the provider of the model refused; present where it named one.' })
      .exactOptional(),
  }),
});
export type ErrorObject = Readonly<z.infer<typeof ErrorObject>>;
