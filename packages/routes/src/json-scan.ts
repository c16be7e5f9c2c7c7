/** How far a JSON text has been read that comes in pieces. Whether it is well-formed is not looked for. */
export interface JsonScan {
  depth: number;
  inString: boolean;
  escaped: boolean;
  /** Whether an object or something else stands there; null before its first character. */
  kind: 'object' | 'other' | null;
  /** Whether the object has been closed, and nothing but white space follows. */
  complete: boolean;
}

export const createJsonScan = (): JsonScan => ({
  depth: 0,
  inString: false,
  escaped: false,
  kind: null,
  complete: false,
});

const isBlank = (character: string): boolean => character.trim() === '';

const scanInString = (scan: JsonScan, character: string): void => {
  if (scan.escaped) scan.escaped = false;
  else if (character === '\\') scan.escaped = true;
  else if (character === '"') scan.inString = false;
};

const scanOutside = (scan: JsonScan, character: string): void => {
  if (isBlank(character)) return;
  scan.complete = false;
  scan.kind ??= character === '{' ? 'object' : 'other';
  if (character === '"') scan.inString = true;
  else if (character === '{' || character === '[') scan.depth += 1;
  else if (character === '}' || character === ']') {
    scan.depth -= 1;
    scan.complete = scan.depth === 0 && scan.kind === 'object';
  }
};

/** Reads on. */
export const scanJson = (scan: JsonScan, text: string): void => {
  for (const character of text) {
    if (scan.inString) scanInString(scan, character);
    else scanOutside(scan, character);
  }
};
