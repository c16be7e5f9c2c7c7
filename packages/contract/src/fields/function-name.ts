import { z } from 'zod';

/** The name of a function that a client declares. */
export const FunctionName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/)
  .meta({
    description: 'letters, digits and _ . : -, beginning with a letter or an underscore, at most 128 characters',
  });
