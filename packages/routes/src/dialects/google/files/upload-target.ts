import type { Access } from '@tollgate/engine';
import type { FileRecord } from '@tollgate/storage';
import { boundaryOf } from '../../../multipart/read-multipart.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import type { Service } from '../../../service.ts';

/** One request of an upload. */
export interface UploadRequest {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
}

/** What a client says of a file before its bytes; each may be missing. */
export interface ToldFile {
  readonly displayName?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** What an upload is for. */
export interface UploadTarget {
  /** Below the base path: where the pieces go. */
  readonly path: string;
  /** Reads what is said of the file, and refuses what cannot become of it. */
  readonly readTold: (upload: UploadRequest, bytes: Uint8Array) => ToldFile | Promise<ToldFile>;
  /** The response once the file is kept; `sessionId` names an upload in several requests. */
  readonly finish: (
    upload: UploadRequest,
    file: FileRecord,
    sessionId: string | null,
  ) => GatewayResponse | Promise<GatewayResponse>;
}

/** The commands of one request of an upload. */
export const commandsOf = (request: GatewayRequest): ReadonlySet<string> =>
  new Set((request.header('x-goog-upload-command') ?? '').split(',').map((word) => word.trim()));

/** Whether a request can end an upload: by its command, or as it holds all of it. */
export const isLastOfUpload = (request: GatewayRequest): boolean =>
  commandsOf(request).has('finalize') || boundaryOf(request.header('content-type') ?? '') !== null;
