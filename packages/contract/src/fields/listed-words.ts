/** How long a list of words in a sentence may be, in characters: a message is read, not searched. */
const charsMax = 240;

/** Words one after another; what does not fit is counted. */
export const listedWords = (words: readonly string[], last: string): string => {
  const shown: string[] = [];
  let chars = 0;
  for (const word of words) {
    chars += word.length + 2;
    if (chars > charsMax && shown.length > 0) break;
    shown.push(word);
  }
  const more = words.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')}${more > 0 ? ' and ' : last}${all.at(-1)}`;
};
