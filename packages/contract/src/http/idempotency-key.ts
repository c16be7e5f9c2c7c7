import { cameAs } from '../fields/came.ts';
import { GatewayError } from './gateway-error.ts';

/** 0x21 to 0x7E, which is printable ASCII without the space; the length is that of `limits.idempotencyKey`. */
const pattern = /^[\x21-\x7e]{1,128}$/;

// idempotency:header:charset, idempotency:header:length
/** Gives the key back as it came; anything but 1 to 128 printable ASCII characters without spaces is
 * `invalid_idempotency_key`. */
export const parseIdempotencyKey = (value: string): string => {
  if (!pattern.test(value))
    throw new GatewayError('invalid_idempotency_key', {
      detail: `The header Idempotency-Key ${cameAs(value, false)}; accepted are 1 to 128 printable ASCII characters without spaces.`,
    });
  return value;
};
