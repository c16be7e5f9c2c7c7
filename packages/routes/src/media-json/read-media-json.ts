import { createHash } from 'node:crypto';
import { parsePlace } from '@tollgate/contract';
import { isBodyStopped } from '../body-stopped.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { inTurnsOf } from '../in-turns-of.ts';
import { parseScannedInTurns } from '../parse-in-turns.ts';
import { bodyStoppedError, checkJsonType } from '../parse-json.ts';
import type { Service } from '../service.ts';
import { createBodyCursor } from './body-cursor.ts';
import { holdBytes } from './hold-bytes.ts';
import { dropLifted, liftBytes } from './lift-bytes.ts';
import { placeLifted } from './place-lifted.ts';
import { splitMedia, type Lift } from './split-media.ts';

export interface MediaJsonOptions {
  /** The path below the base path, which is part of the identity. */
  readonly path: string;
  readonly bytesMax: number;
  /** Where base64 stands: keys from the outermost in, `*` for each item of a list, as in `contents.*.parts.*.inlineData.data`. */
  readonly places: readonly string[];
  /** Whether these texts may be data URLs. */
  readonly dataUrls?: boolean;
  /** Where lifted media lie until the request is done: in the blob store, unless the body is so small that memory can hold them. */
  readonly held?: 'stored' | 'in_memory';
}

/** A JSON body whose long media lie in the blob store. */
export interface MediaJsonBody {
  /** As the client wrote it, but for the long base64 at the places, which is `LiftedData`. */
  readonly value: unknown;
  // idempotency:body:exact-bytes
  /** Of method, path and the exact bytes, each lifted text by its own hash. */
  readonly fingerprint: string;
  /**
   * Deletes what was lifted, except what a step has taken as its own in the meantime. To be called when the request is done, and
   * does not throw; what a death leaves behind is deleted by the sweep.
   */
  readonly release: () => Promise<void>;
}

const storeInto =
  (service: Service, keys: string[]): Lift =>
  async (bytes) => {
    const lifted = await liftBytes(service, bytes);
    keys.push(lifted.key);
    return lifted;
  };

/**
 * Reads and parses a JSON body of at most so many bytes without ever holding its long media in memory: they are decoded once,
 * straight into the blob store, while the fingerprint is made. Refuses what `readJson` refuses, in the same words; nothing that
 * was lifted remains then.
 */
export const readMediaJson = async (
  service: Service,
  request: GatewayRequest,
  { path, bytesMax, places, dataUrls = false, held = 'stored' }: MediaJsonOptions,
): Promise<MediaJsonBody> => {
  checkJsonType(request);
  const patterns = places.map(parsePlace);
  const hash = createHash('sha256').update(`${request.method} ${path}\n`);
  const keys: string[] = [];
  const chunks = request.readBodyChunks(bytesMax)[Symbol.asyncIterator]();
  const cursor = createBodyCursor(chunks);
  try {
    const inTurns = inTurnsOf(service, request);
    const secret = inTurns.secret();
    const { turn } = inTurns;
    const lift = held === 'in_memory' ? holdBytes : storeInto(service, keys);
    const identify = (bytes: Uint8Array): void => {
      hash.update(bytes);
    };
    const bounds = service.bodyBounds;
    const split = await splitMedia(cursor, { places: patterns, bounds, dataUrls, lift, secret, identify, turn });
    const value = await parseScannedInTurns(split.json, split, inTurns);
    placeLifted(value, patterns, split.lifted);
    request.noteBody?.(value);
    return { value, fingerprint: hash.digest('hex'), release: () => dropLifted(service, keys, request.id) };
  } catch (cause) {
    await dropLifted(service, keys, request.id);
    throw isBodyStopped(cause) ? bodyStoppedError(cause.why, bytesMax) : cause;
  } finally {
    await chunks.return?.();
  }
};
