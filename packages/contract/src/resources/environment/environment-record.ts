import { z } from 'zod';
import { EnvironmentNetworkBody } from './environment-network.ts';
import { resourceRecordSchemas } from '../resource-record.ts';

// environments:record:fields
/** The record of an environment in its three forms; its files are listed apart. */
export const environmentSchemas = resourceRecordSchemas('environment', {
  shown: {
    sources: z.array(z.looseObject({ target: z.string() })),
    network: EnvironmentNetworkBody.meta({ description: 'Header values are shown as ***.' }),
  },
  result: null,
});

/** One entry of the tree. */
const EnvironmentEntry = z.looseObject({
  name: z.string(),
  path: z.string().meta({ description: 'From the root of the environment.' }),
  type: z.enum(['file', 'directory']),
  size_bytes: z.int().min(0),
  mime_type: z.string().nullable().meta({ description: 'Null for a directory.' }),
  created_at: z.iso.datetime(),
  modified_at: z.iso.datetime(),
});

// environments:files:list
/** GET /environments/{id}/files. */
export const EnvironmentFileList = z.looseObject({
  object: z.literal('list'),
  path: z.string().meta({ description: 'The directory that is listed; empty for the root.' }),
  data: z.array(EnvironmentEntry),
  next_cursor: z.string().nullable().meta({ description: 'For the query parameter cursor; null on the last page.' }),
});
