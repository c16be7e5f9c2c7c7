import type { Features } from './text-features.ts';

/** A hash of 32 bits (FNV-1a, then mixed, so that every bit depends on every character). */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

const lengthOf = (vector: readonly number[]): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

/**
 * Features folded into a vector of length 1: each adds its weight at a place, and with a sign, that its hash tells. Texts that
 * share features come out near each other in any number of dimensions.
 */
export const featureVector = (features: Features, dimensions: number): readonly number[] => {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const [feature, weight] of features) {
    const hash = hashOf(feature);
    const at = (hash >>> 1) % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash % 2 === 0 ? weight : -weight);
  }
  const length = lengthOf(vector);
  if (length > 0) return vector.map((value) => value / length);
  // Nothing is in it, or everything cancelled out: it still has a direction of its own.
  return vector.map((_, at) => (at === hashOf([...features.keys()].join(' ')) % dimensions ? 1 : 0));
};
