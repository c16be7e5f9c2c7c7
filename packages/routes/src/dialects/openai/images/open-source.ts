import { cameAs, fieldPath, GatewayError, imageTypes, readDeclared, type Path } from '@tollgate/contract';
import { imageTypeOf } from '../../../media-json/image-type.ts';
import { mediaPart } from '../../../media-json/media-part.ts';
import { isFormFile, type FormFile } from '../../../multipart/form-fields.ts';
import { inlineMedia, ready, type OpenPart, type References } from '../../generation/open-turns.ts';
import type { Source } from './image-body.ts';

const invalidImage = (path: Path, came: string): GatewayError =>
  new GatewayError('invalid_image', {
    detail: `The field ${fieldPath(path)} ${came}; accepted is a complete PNG, JPEG or WebP image, as a file of a form, a data URL in base64, or file_id.`,
  });

/** Clients that do not know the type of a file send a general one: its bytes tell it. */
const openFile = ({ data }: FormFile, path: Path): OpenPart => {
  const type = imageTypeOf(data);
  if (type === undefined) throw invalidImage(path, 'is a file of another kind, or a part of one');
  return ready(mediaPart(type.mimeType, data));
};

/** An image that an edit begins with. */
export const openSource = (source: Source, path: Path, { file }: References): OpenPart => {
  if (isFormFile(source)) return openFile(source, path);
  if ('file_id' in source) return file(source.file_id, [...path, 'file_id']);
  const where = [...path, 'image_url'];
  const { declared, data } = readDeclared(source.image_url);
  const type = declared === null ? undefined : imageTypes.get(declared);
  if (type === undefined) throw invalidImage(where, cameAs(source.image_url, false));
  return inlineMedia(type, data, where);
};
