import { decodeBase64, isLifted, limits, parseFileUpload, type MediaData } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { oneChunk } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { dropLifted, liftBytes, storedKeyOf } from '../media-json/lift-bytes.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { requireRoom } from '../require-room.ts';
import type { Service } from '../service.ts';
import { fileBody } from './encode-file.ts';
import { keepFile } from './keep-file.ts';

/** Short data came in the body itself; parsed data is strict base64. */
const toLifted = (service: Service, data: MediaData) =>
  isLifted(data) ? data : liftBytes(service, oneChunk(decodeBase64(data) ?? new Uint8Array()));

// files:upload:*
/** POST /files: 201 with a file of its own, whatever was uploaded before. Not charged. */
export const createFileFromJson = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  await requireRoom(service, access, 'files');
  const body = await readMediaJson(service, request, {
    path: '/files',
    bytesMax: limits.bodyBytesMax.files,
    places: ['data'],
  });
  try {
    const upload = parseFileUpload(body.value);
    const data = await toLifted(service, upload.data);
    try {
      const file = await keepFile(service, access, upload, data);
      return { ...jsonAnswer(JSON.stringify(fileBody(service, file, request.dialect))), status: 201 };
    } finally {
      await dropLifted(service, [storedKeyOf(data)], request.id);
    }
  } finally {
    await body.release();
  }
};
