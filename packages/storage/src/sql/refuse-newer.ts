/** Throws on a database of a newer program. */
export const refuseNewer = (version: number, known: number): void => {
  if (version > known)
    throw new Error(`the database has schema version ${version}, but this program knows versions up to ${known} only`);
};
