import type { GatewayError } from '@tollgate/contract';
import { encodeEvent } from '@tollgate/sse';
import { errorText } from '../../render-error.ts';

/** The last event of a stream of media that failed. */
export const errorEvent = (error: GatewayError): string => encodeEvent({ event: 'error', data: errorText(error) });
