/**
 * The longest `context` of a part, encoded in UTF-8. A gateway hands a client a short reference in place of a long one, and keeps the
 * state itself for as long as the answer; a longer one is left out.
 */
export const contextBytesMax = 4_194_304;
