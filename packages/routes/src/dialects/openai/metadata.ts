import { isKeptText } from '@tollgate/contract';
import { z } from 'zod';

/** Bounds of the metadata of a record, as the clients of this wire know them. */
const metadataBounds = { entriesMax: 16, keyCharsMax: 64, valueCharsMax: 512 } as const;

const { entriesMax, keyCharsMax, valueCharsMax } = metadataBounds;
const metadataText = (charsMax: number) => z.string().max(charsMax).refine(isKeptText);

/** Texts that a client attaches to a record. */
export const Metadata = z
  .record(metadataText(keyCharsMax), metadataText(valueCharsMax))
  .refine((entries) => Object.keys(entries).length <= entriesMax)
  .nullish();

const attribute = z.union([metadataText(valueCharsMax), z.number(), z.boolean()]);

/** Values that a client attaches to a file of a store. */
export const Attributes = z
  .record(metadataText(keyCharsMax), attribute)
  .refine((entries) => Object.keys(entries).length <= entriesMax)
  .nullish();
