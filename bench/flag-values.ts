import type { findBuild } from './build-state.ts';

/** Words of a flag, divided by commas or blanks. */
export const listOf = (text: string): readonly string[] => text.split(/[ ,]+/).filter(Boolean);

/** The value of `--from`. */
export const fromOf = (text: string): Parameters<typeof findBuild>[0] =>
  text === 'dist' || text === 'src' ? text : 'either';
