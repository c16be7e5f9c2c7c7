import { environmentBounds } from '../../limits.ts';

const { pathBytesMax, segmentBytesMax, depthMax } = environmentBounds;

/** Control characters, NUL among them, and the separator of other systems. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden = /[\u0000-\u001f\u007f\\]/;

const isSegment = (segment: string): boolean =>
  segment !== '' && segment !== '.' && segment !== '..' && Buffer.byteLength(segment) <= segmentBytesMax;

// environments:body:source-target
/**
 * Whether a text is the path of a file inside an environment: relative, in one spelling only, without `..` and NUL, neither too
 * long nor too deep.
 */
export const isEnvironmentPath = (path: string): boolean => {
  if (Buffer.byteLength(path) > pathBytesMax || !path.isWellFormed() || forbidden.test(path)) return false;
  const segments = path.split('/');
  return segments.length <= depthMax && segments.every(isSegment);
};

/** The folders above a path, the outermost first: `a` and `a/b` of `a/b/c`. */
export const foldersAbove = (path: string): readonly string[] => {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
};

/** A path among these that another one needs as a folder or names once more, or null where they make one tree. */
export const clashAmong = (paths: readonly string[]): string | null => {
  const files = new Set<string>();
  for (const path of paths) {
    if (files.has(path)) return path;
    files.add(path);
  }
  return paths.find((path) => foldersAbove(path).some((folder) => files.has(folder))) ?? null;
};
