import { z } from 'zod';
import { statesByKind } from '../resources/resource-state.ts';

// files:record:fields
/** A file as every route of files returns it. */
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

// files:list:envelope
/** The list envelope of files. */
export const FileList = z.looseObject({ object: z.literal('list'), data: z.array(File) });

// files:delete:response
/** A file as DELETE returns it. */
export const DeletedFile = z.looseObject({ ...File.shape, status: z.literal('deleted'), deleted: z.literal(true) });
