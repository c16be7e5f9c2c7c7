import { GatewayError, isEnvironmentPath, limits } from '@tollgate/contract';
import { listEnvironmentFiles, type Access } from '@tollgate/engine';
import type { EnvironmentFile } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { contentAnswer } from '../resources/content-answer.ts';
import { safeFileName } from '../resources/safe-file-name.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';
import { environmentEntries, type EnvironmentEntry } from './environment-entries.ts';

/** Entries of one page. */
const entriesMax = limits.list.recordsMax;

interface Query {
  /** Without a slash at its end; empty for the root. */
  readonly path: string;
  readonly recursive: boolean;
  readonly download: boolean;
  /** The page begins behind this path; empty for the first one. */
  readonly after: string;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const booleanOf = (query: URLSearchParams, name: string): boolean => {
  const text = query.get(name) ?? 'false';
  if (text !== 'true' && text !== 'false')
    throw invalid(`The parameter ${name} is no such word; accepted are true and false.`);
  return text === 'true';
};

const pathOf = (query: URLSearchParams): string => {
  const path = (query.get('path') ?? '').replace(/(?<=[^/])\/$/, '');
  if (path !== '' && !isEnvironmentPath(path))
    throw invalid('The parameter path is no such path; accepted is a relative path without "..".');
  return path;
};

const toCursor = (path: string): string => Buffer.from(path).toString('base64url');

const cursorOf = (query: URLSearchParams): string => {
  const cursor = query.get('cursor') ?? '';
  const path = Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== '' && (toCursor(path) !== cursor || !isEnvironmentPath(path)))
    throw invalid('The parameter cursor is none of ours; accepted is the next_cursor of a page.');
  return path;
};

const parseQuery = (request: GatewayRequest): Query => {
  const query = new URLSearchParams(request.query);
  return {
    path: pathOf(query),
    recursive: booleanOf(query, 'recursive'),
    download: booleanOf(query, 'download'),
    after: cursorOf(query),
  };
};

const iso = (ms: number): string => new Date(ms).toISOString();

export const encodeEntry = (entry: EnvironmentEntry) => ({
  name: entry.name,
  path: entry.path,
  type: entry.type,
  size_bytes: entry.sizeBytes,
  mime_type: entry.mimeType,
  created_at: iso(entry.createdAtMs),
  modified_at: iso(entry.modifiedAtMs),
});

const noSuchPath = (): GatewayError => new GatewayError('not_found', { detail: 'There is no such path.' });

const answerPage = (files: readonly EnvironmentFile[], query: Query): GatewayResponse => {
  const entries = environmentEntries(files, query.path, query.recursive);
  if (entries === null) throw noSuchPath();
  const left = entries.filter(({ path }) => path > query.after);
  const page = left.slice(0, entriesMax);
  const last = left.length > entriesMax ? page.at(-1) : undefined;
  const body = {
    object: 'list',
    path: query.path,
    data: page.map(encodeEntry),
    next_cursor: last === undefined ? null : toCursor(last.path),
  };
  return jsonAnswer(JSON.stringify(body));
};

const answerDownload = (
  service: Service,
  request: GatewayRequest,
  files: readonly EnvironmentFile[],
  path: string,
): Promise<GatewayResponse> => {
  const file = files.find((one) => one.path === path);
  if (file === undefined) {
    if (environmentEntries(files, path, false) === null) throw noSuchPath();
    throw invalid('The parameter path names a directory; accepted for a download is a file.');
  }
  const { blobKey, sizeBytes, mimeType } = file;
  return contentAnswer(service, request, {
    blobKey,
    sizeBytes,
    mimeType,
    fileName: safeFileName(path),
    disposition: 'attachment',
    tag: blobKey.slice(blobKey.lastIndexOf('/') + 1),
  });
};

// environments:files:*
/** GET /environments/{id}/files: a page of entries, or the bytes of one file. */
export const listFilesOfEnvironment = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  await requireResource(service, access, { kind: 'environment', id });
  const query = parseQuery(request);
  const files = await listEnvironmentFiles(service.engine, id);
  if (files === null)
    throw new GatewayError('not_found', { detail: 'The environment has been deleted or has expired.' });
  return query.download ? answerDownload(service, request, files, query.path) : answerPage(files, query);
};
