/** A place in a JSON body: keys from the outermost in, `*` for every item of a list. */
export type PlacePattern = readonly string[];

/** Reads `contents.*.parts.*.inlineData.data`. */
export const parsePlace = (text: string): PlacePattern => text.split('.');

/** An open object or list around the place that is being read. */
export type Frame =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'object';
      /** The key whose value comes next or is being read. */
      key: string;
    };

const standsFor = (part: string, frame: Frame): boolean =>
  part === '*' ? frame.kind === 'list' : frame.kind === 'object' && frame.key === part;

/** Whether a value that begins inside these frames is at the place. */
export const isAtPlace = (pattern: PlacePattern, frames: readonly Frame[]): boolean =>
  pattern.length === frames.length &&
  pattern.every((part, depth) => {
    const frame = frames[depth];
    return frame !== undefined && standsFor(part, frame);
  });
