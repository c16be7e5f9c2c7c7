import type { GatewayRequest } from './gateway-request.ts';
import { inTurnsOf } from './in-turns-of.ts';
import { parseJsonInTurns } from './parse-in-turns.ts';
import { bodyStoppedError, checkJsonType } from './parse-json.ts';
import type { Service } from './service.ts';

export interface JsonBody {
  /** The exact bytes, which are what identity is about. */
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

// chat:body:max-bytes
/** Reads and parses a body of at most so many bytes. */
export const readJson = async (
  service: Pick<Service, 'bodyBounds' | 'engine'>,
  request: GatewayRequest,
  bytesMax: number,
): Promise<JsonBody> => {
  checkJsonType(request);
  const read = await request.readBody(bytesMax);
  if (read.kind !== 'read') throw bodyStoppedError(read.kind, bytesMax);
  const value = await parseJsonInTurns(read.bytes, service.bodyBounds, inTurnsOf(service, request));
  request.noteBody?.(value);
  return { bytes: read.bytes, value };
};
