/** Lists and objects within each other that are read. */
const levelsMax = 100;

/** The line on which a JSON text goes deeper than is read, counted from 1; null where it does not. What is in quotes does not count. */
export const tooDeepLine = (text: string): number | null => {
  let level = 0;
  let line = 1;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n') line += 1;
    else if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '[' || character === '{') level += 1;
    else if (character === ']' || character === '}') level -= 1;
    if (level > levelsMax) return line;
  }
  return null;
};

export const depthFault = `has more than ${levelsMax} lists and objects within each other`;
