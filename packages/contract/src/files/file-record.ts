import { z } from 'zod';
import { statesByKind } from '../resources/resource-state.ts';

/** A file as every route of files returns it [files:record:fields]. */
export const File = z.looseObject({
  id: z.uuid(),
  object: z.literal('file'),
  name: z.string().meta({ description: 'files/<id>, as other bodies name the file.' }),
  display_name: z.string(),
  mime_type: z.string(),
  size_bytes: z.int().min(0),
  sha256: z.string().meta({ description: 'Of the bytes, in lowercase hex.' }),
  status: z.enum(statesByKind.file),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  error_code: z.string().nullable(),
});
export type File = Readonly<z.infer<typeof File>>;

/** The list envelope of files [files:list:envelope]. */
export const FileList = z.looseObject({ object: z.literal('list'), data: z.array(File) });

/** A file as DELETE returns it [files:delete:response]. */
export const DeletedFile = z.looseObject({ ...File.shape, status: z.literal('deleted'), deleted: z.literal(true) });
