import { listFiles } from '@tollgate/engine';
import { fileBody, purposeOf } from '../../files/encode-file.ts';
import type { GatewayRequest } from '../../gateway-request.ts';
import { jsonAnswer } from '../../json-answer.ts';
import type { DialectMethod } from '../dialect.ts';
import { resultFileOf } from './batches/result-file.ts';
import { getFileContent } from './file-content.ts';
import { listPage } from './list-page.ts';
import { getResultFile, keepResultFile, sendResultFile } from './batches/send-result-file.ts';

/** A client that asks for no number of files gets all that a list has. */
const filesPageMax = 100;

const filePath = /^\/files\/([^/]+)(\/content)?$/;

const contentMethod = (id: string): DialectMethod => {
  const result = resultFileOf(id);
  return {
    route: 'getFile',
    purpose: 'query',
    run: (service, access, request) =>
      result === null ? getFileContent(service, access, request, id) : sendResultFile(service, access, request, result),
  };
};

/** The newest files of the project, page by page, and of one purpose if the query names one. */
const listing: DialectMethod = {
  route: 'listFiles',
  purpose: 'query',
  run: async (service, access, { dialect, query }) => {
    const files = await listFiles(service.engine, access.projectId);
    const wanted = new URLSearchParams(query).get('purpose');
    const shown = files.filter((file) => wanted === null || purposeOf(file) === wanted);
    const data = shown.map((file) => fileBody(service, file, dialect));
    return jsonAnswer(JSON.stringify(listPage(data, query, filesPageMax)));
  },
};

/** Content of files, and files that are results of a batch; null for what the contract has. */
export const fileMethodOf = ({ method, dialect }: GatewayRequest, path: string): DialectMethod | null => {
  if (path === '/files') return method === 'GET' && dialect === 'openai' ? listing : null;
  const [, id, content] = filePath.exec(path) ?? [];
  if (id === undefined) return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (content !== undefined) return isRead ? contentMethod(id) : null;
  const result = resultFileOf(id);
  if (result === null) return null;
  if (method === 'GET')
    return {
      route: 'getFile',
      purpose: 'query',
      run: (service, access, request) => getResultFile(service, access, request, result),
    };
  return method === 'DELETE' ? { route: 'deleteFile', purpose: 'query', run: keepResultFile } : null;
};
