import type { GatewayRequest } from '../../gateway-request.ts';
import type { DialectMethod } from '../dialect.ts';
import { resultFileOf } from './batches/result-file.ts';
import { getFileContent } from './file-content.ts';
import { getResultFile, keepResultFile, sendResultFile } from './batches/send-result-file.ts';

const filePath = /^\/files\/([^/]+)(\/content)?$/;

const contentMethod = (id: string): DialectMethod => {
  const result = resultFileOf(id);
  return {
    route: 'getFile',
    purpose: 'query',
    run: (service, access, request) =>
      result === null ? getFileContent(service, access, request, id) : sendResultFile(service, access, result),
  };
};

/** Content of files, and files that are results of a batch; null for what the contract has. */
export const fileMethodOf = ({ method }: GatewayRequest, path: string): DialectMethod | null => {
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
