import { isLifted, type MediaData } from '../media/lifted-data.ts';

/** Longest prefix checked, in characters; `data:text/plain;charset=utf-8;base64,` has 37. */
const prefixCharsMax = 40;

const prefix = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;charset=utf-8)?;base64,/i;

export interface DataUrl {
  /** The declared media type in lower case. */
  readonly declared: string;
  /** The base64 text behind the prefix, not checked yet. */
  readonly data: string;
}

/** Splits a base64 data URL, or returns null when the text is none. Looks at the first characters only. */
export const splitDataUrl = (text: string): DataUrl | null => {
  const match = prefix.exec(text.slice(0, prefixCharsMax));
  const declared = match?.[1];
  return match === null || declared === undefined
    ? null
    : { declared: declared.toLowerCase(), data: text.slice(match[0].length) };
};

/** Media as a part of a chat holds them. */
export interface DeclaredMedia {
  /** The media type of the data URL that they came as, in lower case; null where they came as bare base64. */
  readonly declared: string | null;
  /** Not checked yet. */
  readonly data: MediaData;
}

/** Takes the prefix of a data URL off, where there is one. */
export const readDeclared = (media: MediaData): DeclaredMedia => {
  if (isLifted(media)) return { declared: media.declared ?? null, data: media };
  return splitDataUrl(media) ?? { declared: null, data: media };
};
