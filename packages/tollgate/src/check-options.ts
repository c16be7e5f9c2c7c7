import type { GatewayOptions } from './gateway-options.ts';

/** Segments of a path as a client sends it, none of them empty; nothing at all stands for the root. */
const prefix = /^(?:\/[\w.~-]+)*$/;
/** The word is part of header names and of a model id. */
const word = /^[a-z][a-z0-9-]*$/i;

/** Refuses what would make a gateway that can be started and then finds no path, or cannot send an event. */
export const checkOptions = ({ basePath = '', brand = 'service' }: GatewayOptions): void => {
  if (!prefix.test(basePath))
    throw new TypeError(
      'basePath begins with a slash and does not end with one, as in /api/v1/ai; an empty one is the root',
    );
  if (!word.test(brand))
    throw new TypeError('brand is a word of letters, digits and hyphens that begins with a letter');
};
