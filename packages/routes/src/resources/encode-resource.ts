import { resourceState, type ResourceKind } from '@tollgate/contract';
import { creditsFromMicros, shownFieldsOf, type FoundResource, type LargeAnswer } from '@tollgate/engine';
import type { ByteBody } from '../byte-body.ts';
import type { Service } from '../service.ts';

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const completedAtMs = ({ operation }: FoundResource): number | null =>
  operation.state === 'completed' ? operation.endedAtMs : null;

/** The receipt as the last member of a result. */
const receiptMember = (brand: string, { operation }: FoundResource): string => {
  const { id, projectId, chargedMicros } = operation;
  const receipt = { request_id: id, project_id: projectId, credits: creditsFromMicros(chargedMicros) };
  return `${JSON.stringify(brand)}:${JSON.stringify(receipt)}`;
};

// resources:record:result-credits
/** The result with its receipt: the stored text is JSON already and is put in as it is. */
const encodeResult = (brand: string, found: FoundResource): string => {
  if (found.result === null) return 'null';
  const members = found.result.slice(1, -1);
  return `{${members}${members === '' ? '' : ','}${receiptMember(brand, found)}}`;
};

// resources:record:common
/** The public record of a resource as JSON text. `more` comes last before the result. */
export const encodeResource = (
  service: Service,
  found: FoundResource,
  more: Readonly<Record<string, unknown>> = {},
): string => {
  const { operation, resource } = found;
  const record = JSON.stringify({
    id: resource.id,
    object: resource.kind,
    request_id: operation.id,
    status: resourceState(resource.availability, operation.state),
    model: resource.model,
    display_name: resource.displayName,
    charged_credits: creditsFromMicros(operation.chargedMicros),
    reserved_credits: creditsFromMicros(operation.holdMicros),
    error_code: operation.errorCode,
    created_at: new Date(resource.createdAtMs).toISOString(),
    updated_at: new Date(Math.max(resource.updatedAtMs, operation.updatedAtMs)).toISOString(),
    completed_at: isoOrNull(completedAtMs(found)),
    expires_at: isoOrNull(resource.expiresAtMs),
    ...shownFieldsOf(resource),
    ...more,
  });
  return `${record.slice(0, -1)},"result":${encodeResult(service.brand, found)}}`;
};

async function* framed(
  before: string,
  middle: AsyncIterable<Uint8Array>,
  after: string,
): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(before);
  yield* middle;
  yield Buffer.from(after);
}

/** Reads a result from where it lies, but for the brace that closes it; the answer breaks off where it is gone. */
async function* largeResult({ storage }: Service['engine'], large: LargeAnswer): AsyncGenerator<Uint8Array, void> {
  const blob = await storage.blobs.getStream(large.blobKey, { fromByte: 0, toByte: large.bytes - 1 });
  if (blob === undefined) throw new Error('the result is gone');
  yield* blob.chunks;
}

/** All but the first byte. */
async function* withoutFirst(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let isFirst = true;
  for await (const chunk of chunks) {
    yield isFirst ? chunk.subarray(1) : chunk;
    if (chunk.byteLength > 0) isFirst = false;
  }
}

/** The record as the body of an answer, or of a part of it: a result that is too large to be held goes from its blob to the client. */
export const resourceBody = (
  service: Service,
  found: FoundResource,
  frame: { readonly before: string; readonly after: string } = { before: '', after: '' },
): string | ByteBody => {
  const record = encodeResource(service, found);
  const { large } = found;
  if (large === undefined) return `${frame.before}${record}${frame.after}`;
  const before = `${frame.before}${record.slice(0, -'null}'.length)}`;
  const after = `,${receiptMember(service.brand, found)}}}${frame.after}`;
  return {
    kind: 'bytes',
    sizeBytes: Buffer.byteLength(before) + large.bytes - 1 + Buffer.byteLength(after),
    chunks: framed(before, largeResult(service.engine, large), after),
  };
};

/**
 * A record with the members of the result beside its own, for clients that look for them there; a member of both is the
 * result's. The receipt comes last.
 */
export const flatBody = (service: Service, found: FoundResource, record: object): string | ByteBody => {
  const { large, result } = found;
  const before = JSON.stringify(record).slice(0, -1);
  const after = `,${receiptMember(service.brand, found)}}`;
  const members = result === null ? '' : result.slice(1, -1);
  if (large === undefined) return `${before}${members === '' ? '' : ','}${members}${after}`;
  const inner = largeResult(service.engine, large);
  return {
    kind: 'bytes',
    // The brace that opens the result is a comma here.
    sizeBytes: Buffer.byteLength(before) + large.bytes - 1 + Buffer.byteLength(after),
    chunks: framed(`${before},`, withoutFirst(inner), after),
  };
};

// resources:list:envelope
/** The list envelope. */
export const encodeResourceList = (service: Service, found: readonly FoundResource[]): string =>
  `{"object":"list","data":[${found.map((one) => encodeResource(service, one)).join(',')}]}`;

// resources:record:urls
/** Where a client finds the media of a resource. */
export const contentPath = (
  { basePath }: Pick<Service, 'basePath'>,
  kind: ResourceKind,
  id: string,
  index: number,
): string => `${basePath}/${kind}s/${id}/content?index=${index}`;
