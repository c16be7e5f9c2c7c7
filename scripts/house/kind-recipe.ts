import { countPlaces, type Figure } from './figure.ts';

const heading = /^## How to add a (?:kind of resource|resource type)$/mu;
/** A span of code that ends as a file does. */
const fileSpan = /`([^`\n]+\.(?:ts|md|json))`/gu;

/** Files that the recipe for a new resource type names, each once. */
export const countKindRecipe = (agents: string): Figure => {
  const start = agents.search(heading);
  if (start === -1) throw new Error('AGENTS.md has no recipe for a resource type');
  const [recipe = ''] = agents.slice(start + 2).split(/^## /mu);
  const files = new Set(Array.from(recipe.matchAll(fileSpan), ([, file = '']) => file));
  return countPlaces('files that a new kind touches', '≤ 15', [...files]);
};
