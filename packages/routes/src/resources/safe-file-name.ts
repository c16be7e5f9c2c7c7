const charsMax = 128;

/** What a browser may call a file, whatever its path or its uploader says. */
export const safeFileName = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, charsMax);
