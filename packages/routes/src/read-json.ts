import type { GatewayRequest } from './gateway-request.ts';
import { bodyStoppedError, checkJsonType, parseJson } from './parse-json.ts';

export interface JsonBody {
  /** The exact bytes, which are what identity is about. */
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

/** Reads and parses a body of at most so many bytes (chat:body:max-bytes). */
export const readJson = async (request: GatewayRequest, bytesMax: number): Promise<JsonBody> => {
  checkJsonType(request);
  const read = await request.readBody(bytesMax);
  if (read.kind !== 'read') throw bodyStoppedError(read.kind);
  return { bytes: read.bytes, value: parseJson(read.bytes) };
};
