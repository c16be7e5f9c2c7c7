import type { Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { parseJson } from '../../../parse-json.ts';
import type { Service } from '../../../service.ts';
import { toGoogleFile } from './google-file.ts';
import { uploadTo } from './upload-file.ts';
import type { ToldFile, UploadTarget } from './upload-target.ts';

/** What a client says of the file before its bytes: `{file: {displayName, mimeType}}`, of which each may be missing. */
const parseMetadata = ({ bodyBounds }: Service, bytes: Uint8Array): ToldFile => {
  const value = bytes.length === 0 ? {} : parseJson(bytes, bodyBounds);
  const file: unknown = typeof value === 'object' && value !== null && 'file' in value ? value.file : {};
  const text = (name: string): string | undefined => {
    const field: unknown = typeof file === 'object' && file !== null ? Reflect.get(file, name) : undefined;
    return typeof field === 'string' ? field : undefined;
  };
  const [displayName, mimeType] = [text('displayName') ?? text('display_name'), text('mimeType') ?? text('mime_type')];
  return { displayName, mimeType };
};

const filesTarget: UploadTarget = {
  path: '/upload/files',
  readTold: ({ service }, bytes) => parseMetadata(service, bytes),
  finish: (_upload, file) => jsonAnswer(JSON.stringify({ file: toGoogleFile(file) })),
};

/** `POST /upload/files`: a file of the project. Not charged. */
export const uploadGoogleFile = (service: Service, access: Access, request: GatewayRequest): Promise<GatewayResponse> =>
  uploadTo({ service, access, request }, filesTarget);
