import { isUuid } from '../is-uuid.ts';

const prefix = 'files/';

/** The id in `files/<file_id>`, in lower case, however the client wrote it; undefined where the text is no such name. */
export const fileIdOfUri = (uri: string): string | undefined => {
  const name = uri.toLowerCase();
  const id = name.slice(prefix.length);
  return name.startsWith(prefix) && isUuid(id) ? id : undefined;
};
