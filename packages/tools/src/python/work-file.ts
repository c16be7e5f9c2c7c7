/** One file of the folder that a program works in. */
export interface WorkFile {
  /** Relative, with `/` between names, none of them empty, `.` or `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const pathCharsMax = 1024;
const charBytesMax = 3;
export const workPathBytesMax = pathCharsMax * charBytesMax;

/** Whether a path stays inside the folder, however it is joined to it. */
export const isWorkPath = (path: string): boolean =>
  path.length > 0 &&
  path.length <= pathCharsMax &&
  !path.includes('\\') &&
  !path.includes('\0') &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
