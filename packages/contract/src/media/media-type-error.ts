import { cameAs } from '../fields/came.ts';
import type { Path } from '../fields/field-fault.ts';
import { fieldPath } from '../fields/field-path.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { acceptedMediaTypes } from './media-type.ts';

const plainType = /^[a-z]{1,20}\/[\w.+-]{1,40}$/i;

/** A media type that no route takes. A type is no secret: it is repeated where it is written like one. */
export const mediaTypeError = (path: Path, mimeType: string): GatewayError => {
  const came = plainType.test(mimeType) ? `is ${mimeType}` : cameAs(mimeType, false);
  const accepted = acceptedMediaTypes.join(', ');
  return new GatewayError('unsupported_content', {
    detail: `The field ${fieldPath(path)} ${came}; accepted are ${accepted}.`,
  });
};
