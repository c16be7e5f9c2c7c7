/** A mutant that changes nothing that a caller, an operator or another process could see, and why that is so. */
export interface Equivalent {
  readonly file: string;
  readonly within: string;
  readonly change: string;
  readonly reason: string;
}

/** Rows of one folder: the file below it, the function, the change as `npm run mutate` prints it, and the reason. */
export const equivalentsOf =
  (folder: string) =>
  (file: string, within: string, change: string, reason: string): Equivalent => ({
    file: `${folder}/${file}`,
    within,
    change,
    reason,
  });
