const prefix = 'media/';

/** Where bytes that came with a request lie; a file that is made of them has the id of its blob. */
export const mediaBlobKey = (id: string): string => `${prefix}${id}`;

/** The id under which a blob became a file. */
export const mediaBlobId = (blobKey: string): string => blobKey.slice(prefix.length);
