import { z } from 'zod';
import type { AdminContext } from './admin-route.ts';

/** Of routes whose answer may be CSV. */
export const formatParameter = { format: z.enum(['json', 'csv']).exactOptional() };

/** Whether a request asks for CSV, by its query or else by its Accept header. */
export const wantsCsv = ({ accept }: AdminContext, { format }: { readonly format?: 'json' | 'csv' }): boolean =>
  format === undefined ? accept.includes('text/csv') : format === 'csv';
