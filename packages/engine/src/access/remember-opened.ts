import type { TextSeal } from './seal-text.ts';

/**
 * The same seal, which opens a text that it has opened lately without the work of it: opening costs as much as several signatures.
 * What does not open is tried anew each time.
 */
export const rememberOpened = (seal: TextSeal, textsMax: number): TextSeal => {
  const opened = new Map<string, string>();
  return {
    seal: seal.seal,
    open: (sealed, about = '') => {
      const name = `${about}\n${sealed}`;
      const text = opened.get(name) ?? seal.open(sealed, about);
      // Put back at the end, so that the first one is that which was asked for longest ago.
      opened.delete(name);
      opened.set(name, text);
      const [oldest] = opened.keys();
      if (opened.size > textsMax && oldest !== undefined) opened.delete(oldest);
      return text;
    },
  };
};
