/** Characters of a blob's key at the most. */
export const blobKeyCharsMax = 512;

const segments = /^[\w-]+(?:\/[\w-]+)*$/;

/** Whether a blob store must take the key: letters, digits, `-` and `_`, in parts divided by single `/`. */
export const isBlobKey = (key: string): boolean => key.length <= blobKeyCharsMax && segments.test(key);
