/** Characters of an id that every storage keeps, in UTF-16 units; a longer one may be refused. */
export const idCharsMax = 512;

/** Characters of a text, or of a JSON value as text, that every storage keeps, in UTF-16 units; a longer one may be refused. */
export const textCharsMax = 4_194_304;
