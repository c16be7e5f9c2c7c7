/** Longest prefix looked at, in characters; `data:text/plain;charset=utf-8;base64,` has 37. */
const prefixCharsMax = 40;

const prefix = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;charset=utf-8)?;base64,/i;

export interface DataUrl {
  /** The declared media type in lower case. */
  readonly declared: string;
  /** The base64 text behind the prefix, not checked yet. */
  readonly data: string;
}

/** Splits a base64 data URL, or answers null when the text is none. Looks at the first characters only. */
export const splitDataUrl = (text: string): DataUrl | null => {
  const match = prefix.exec(text.slice(0, prefixCharsMax));
  const declared = match?.[1];
  return match === null || declared === undefined
    ? null
    : { declared: declared.toLowerCase(), data: text.slice(match[0].length) };
};
