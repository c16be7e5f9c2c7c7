import { createHash } from 'node:crypto';
import { recordOf, type WireRecord } from './fake-gemini-wire.ts';

/** An answer of the files API. */
export interface FakeFileAnswer {
  readonly status: number;
  /** JSON, or bytes as they are. */
  readonly body: WireRecord | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeFileRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly body: unknown;
}

/** A copy that the upstream keeps. */
export interface FakeGeminiFile {
  readonly name: string;
  readonly uri: string;
  readonly mimeType: string;
  readonly displayName: string | undefined;
  readonly bytes: Buffer;
}

export interface FakeGeminiFiles {
  /** Undefined where the request is none of this API. */
  readonly handle: (request: FakeFileRequest) => FakeFileAnswer | undefined;
  readonly knows: (uri: string) => boolean;
  readonly all: () => readonly FakeGeminiFile[];
  /** Loses every copy, as if it had expired. */
  readonly forget: () => void;
}

export interface FakeGeminiFilesOptions {
  /** Origin of the addresses that are given out. */
  readonly origin: () => string;
  /** How often a new file is said to be processing before it is active (default 0). */
  readonly processingReads?: number;
}

interface Upload {
  readonly file: WireRecord;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly pieces: Buffer[];
  offset: number;
}

interface Stored extends FakeGeminiFile {
  processingReads: number;
}

interface State {
  readonly options: FakeGeminiFilesOptions;
  readonly uploads: Map<string, Upload>;
  readonly files: Map<string, Stored>;
  made: number;
}

const keptMs = 48 * 3_600_000;

const refused = (status: number, name: string, message: string): FakeFileAnswer => ({
  status,
  body: { error: { code: status, message, status: name } },
});

/** The files API: resumable uploads, states and removal. */
export const createFakeGeminiFiles = (options: FakeGeminiFilesOptions): FakeGeminiFiles => {
  const state: State = { options, uploads: new Map(), files: new Map(), made: 0 };
  return {
    handle: (request) => handle(state, request),
    knows: (uri) => Array.from(state.files.values()).some((file) => file.uri === uri),
    all: () => Array.from(state.files.values()),
    forget: () => state.files.clear(),
  };
};

const handle = (state: State, request: FakeFileRequest): FakeFileAnswer | undefined => {
  const { method, path } = request;
  if (method === 'POST' && /^\/upload\/[^/]+\/files(\?|$)/.test(path)) {
    const session = /[?&]upload_id=([^&]+)/.exec(path)?.[1];
    return session === undefined ? start(state, request) : takePiece(state, session, request);
  }
  const name = /^\/[^/]+\/(files\/[^/?:]+)$/.exec(path)?.[1];
  if (name === undefined || (method !== 'GET' && method !== 'DELETE')) return undefined;
  const file = state.files.get(name);
  if (file === undefined) {
    const message = `You do not have permission to access the File ${name} or it may not exist.`;
    return refused(403, 'PERMISSION_DENIED', message);
  }
  if (method === 'DELETE') {
    state.files.delete(name);
    return { status: 200, body: {} };
  }
  const answer = { status: 200, body: resourceOf(file) };
  file.processingReads -= 1;
  return answer;
};

const start = (state: State, { headers, body }: FakeFileRequest): FakeFileAnswer => {
  const mimeType = headers['x-goog-upload-header-content-type'];
  const sizeBytes = Number(headers['x-goog-upload-header-content-length']);
  const isStart = headers['x-goog-upload-protocol'] === 'resumable' && headers['x-goog-upload-command'] === 'start';
  if (!isStart || typeof mimeType !== 'string' || !Number.isSafeInteger(sizeBytes)) {
    return refused(400, 'INVALID_ARGUMENT', 'This is no start of a resumable upload.');
  }
  state.made += 1;
  const session = `upload-${state.made}`;
  state.uploads.set(session, { file: recordOf(recordOf(body)['file']), mimeType, sizeBytes, pieces: [], offset: 0 });
  const url = `${state.options.origin()}/upload/v1beta/files?upload_id=${session}&upload_protocol=resumable`;
  return { status: 200, body: {}, headers: { 'x-goog-upload-url': url, 'x-goog-upload-status': 'active' } };
};

const pieceUnitBytes = 262_144;

const takePiece = (state: State, session: string, { headers, bytes }: FakeFileRequest): FakeFileAnswer => {
  const upload = state.uploads.get(session);
  if (upload === undefined) return refused(404, 'NOT_FOUND', 'There is no such upload.');
  const isLast = headers['x-goog-upload-command'] === 'upload, finalize';
  if (Number(headers['x-goog-upload-offset']) !== upload.offset) {
    return refused(400, 'INVALID_ARGUMENT', 'The offset is not where the upload stands.');
  }
  if (!isLast && bytes.length % pieceUnitBytes !== 0) {
    return refused(400, 'INVALID_ARGUMENT', 'A piece must be a multiple of 256 KiB.');
  }
  upload.pieces.push(bytes);
  upload.offset += bytes.length;
  if (!isLast) return { status: 200, body: {}, headers: { 'x-goog-upload-status': 'active' } };
  if (upload.offset !== upload.sizeBytes) return refused(400, 'INVALID_ARGUMENT', 'The size is not the announced one.');
  state.uploads.delete(session);
  const file = keep(state, upload, session);
  return { status: 200, body: { file: resourceOf(file) }, headers: { 'x-goog-upload-status': 'final' } };
};

const keep = (state: State, upload: Upload, session: string): Stored => {
  const name = `files/${session}`;
  const { displayName } = upload.file;
  const file: Stored = {
    name,
    uri: `${state.options.origin()}/v1beta/${name}`,
    mimeType: upload.mimeType,
    displayName: typeof displayName === 'string' ? displayName : undefined,
    bytes: Buffer.concat(upload.pieces),
    processingReads: state.options.processingReads ?? 0,
  };
  state.files.set(name, file);
  return file;
};

const resourceOf = (file: Stored): WireRecord => ({
  name: file.name,
  uri: file.uri,
  mimeType: file.mimeType,
  displayName: file.displayName,
  sizeBytes: String(file.bytes.length),
  sha256Hash: createHash('sha256').update(file.bytes).digest('base64'),
  expirationTime: new Date(Date.now() + keptMs).toISOString(),
  state: file.processingReads > 0 ? 'PROCESSING' : 'ACTIVE',
  source: 'UPLOADED',
});
