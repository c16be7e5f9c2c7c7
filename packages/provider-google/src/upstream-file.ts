import { asObject, asText, parseJson, type UpstreamFileState } from '@tollgate/provider';

/** The upstream's copy of a file. */
export interface UpstreamFile {
  /** Resource name: `files/abc`. */
  readonly name: string;
  /** What a part names it by. */
  readonly uri: string;
  readonly expiresAtMs: number;
  readonly state: UpstreamFileState;
}

/** The upstream keeps a copy for 48 hours, and says so; where it does not, we count an hour less. */
const keptMsDefault = 47 * 3_600_000;

const states: Readonly<Record<string, UpstreamFileState>> = { ACTIVE: 'active', FAILED: 'failed' };

/** Reads a file resource; undefined where it has no name or address. */
export const readUpstreamFile = (value: unknown, nowMs: number): UpstreamFile | undefined => {
  const file = asObject(value);
  const name = asText(file?.['name']);
  const uri = asText(file?.['uri']);
  if (file === undefined || name === undefined || uri === undefined) return undefined;
  const expiresAtMs = Date.parse(asText(file['expirationTime']) ?? '');
  return {
    name,
    uri,
    expiresAtMs: Number.isNaN(expiresAtMs) ? nowMs + keptMsDefault : expiresAtMs,
    state: states[asText(file['state']) ?? ''] ?? 'processing',
  };
};

/** What is kept of a copy between calls. */
export type FileReference = Pick<UpstreamFile, 'name' | 'uri' | 'expiresAtMs'>;

export const encodeReference = ({ name, uri, expiresAtMs }: FileReference): string =>
  JSON.stringify({ name, uri, expiresAtMs });

/** Reads a note; undefined for none, and for one of another provider. */
export const parseReference = (reference: string | null): FileReference | undefined => {
  const value = reference === null ? undefined : asObject(parseJson(reference));
  const name = asText(value?.['name']);
  const uri = asText(value?.['uri']);
  const expiresAtMs = value?.['expiresAtMs'];
  if (name === undefined || uri === undefined || typeof expiresAtMs !== 'number') return undefined;
  return { name, uri, expiresAtMs };
};

/** A copy is not named any more when it expires within the time that a generation may take. */
const expiryMarginMs = 30 * 60_000;

export const isUsable = (reference: FileReference, nowMs: number): boolean =>
  reference.expiresAtMs - expiryMarginMs > nowMs;
