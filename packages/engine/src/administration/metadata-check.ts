import { cameIn, checkOf, faultAt, nullable } from '@tollgate/contract/configuration';
import { isRecord } from '@tollgate/contract';
import type { Metadata } from '@tollgate/storage';

/** Texts of one record at the most, and the characters of a name and of a text: a page of a hundred stays below 1 MiB. */
export const metadataBounds = { entriesMax: 20, nameCharsMax: 40, textCharsMax: 400 } as const;

const { entriesMax, nameCharsMax, textCharsMax } = metadataBounds;

/** Copying a member of this name would set a prototype and lose its text. */
const protoName = '__proto__';

const isEntry = ([name, text]: readonly [string, unknown]): boolean =>
  name !== '' &&
  name !== protoName &&
  name.length <= nameCharsMax &&
  name.isWellFormed() &&
  typeof text === 'string' &&
  text.length <= textCharsMax &&
  text.isWellFormed();

const accepted = `is an object of at most ${entriesMax} texts of at most ${textCharsMax} characters, under names of 1 to ${nameCharsMax} other than ${protoName}`;

/** The texts that a host keeps with an account or a project, or null for none. */
export const metadataCheck = nullable(
  checkOf<Metadata>((value, place) => {
    if (!isRecord(value)) return faultAt(place, cameIn(value), accepted);
    const entries = Object.entries(value);
    if (entries.length > entriesMax) return faultAt(place, `has ${entries.length} members`, accepted);
    const wrong = entries.find((entry) => !isEntry(entry));
    return wrong === undefined ? [] : faultAt(place, `has a member that is none of these, '${wrong[0]}'`, accepted);
  }),
);

/** Null where it is empty, so that none has one form. */
export const keptMetadata = (metadata: Metadata | null | undefined): Metadata | null =>
  metadata === undefined || metadata === null || Object.keys(metadata).length === 0 ? null : { ...metadata };
