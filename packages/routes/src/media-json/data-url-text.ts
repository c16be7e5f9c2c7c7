import { splitDataUrl } from '@tollgate/contract';

/** The beginning of a text that is a data URL in base64. */
export interface DataUrlStart {
  /** The media type that it declares, in lower case. */
  readonly declared: string;
  /** Its raw bytes up to the base64. */
  readonly prefix: Buffer;
}

const comma = 0x2c;
/** Room for the longest prefix, each of its characters written as an escape. */
const rawBytesMax = 6 * 40;

const readJsonText = (raw: Buffer): string | null => {
  try {
    return String(JSON.parse(`"${raw.toString('latin1')}"`));
  } catch {
    return null;
  }
};

/** Looks at the beginning of the raw inside of a JSON text; null where it is no data URL in base64. */
export const findDataUrl = (raw: Buffer): DataUrlStart | null => {
  const prefix = raw.subarray(0, raw.subarray(0, rawBytesMax).indexOf(comma) + 1);
  const text = prefix.length === 0 ? null : readJsonText(prefix);
  const url = text === null ? null : splitDataUrl(text);
  return url === null || url.data !== '' ? null : { declared: url.declared, prefix: Buffer.from(prefix) };
};
