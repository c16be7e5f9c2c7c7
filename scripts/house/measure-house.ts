import { countEngineFields, countEngineRoot } from './engine-shape.ts';
import type { Figure } from './figure.ts';
import { countImportCircles } from './import-circles.ts';
import { countKindRecipe } from './kind-recipe.ts';
import { parseSources } from './parse-sources.ts';
import type { Checkout } from './read-checkout.ts';
import { countSizes } from './sizes.ts';
import { countCastWaivers, countConditionalSpreads } from './waivers.ts';
import { countWords, readWords } from './wording.ts';
import { countDeadlines, countLateSignals, countModelRoutes, countTransientTests } from './written-copies.ts';

/** Every figure of a checkout, in the order of the table. */
export const measureHouse = ({ packages, others, pages }: Checkout): readonly Figure[] => {
  const all = parseSources(new Map([...packages, ...others]));
  const sources = new Map([...all].filter(([file]) => packages.has(file)));
  return [
    countImportCircles(sources),
    countEngineFields(sources),
    countEngineRoot(sources),
    countTransientTests(sources),
    countDeadlines(sources),
    countLateSignals(sources),
    countModelRoutes(sources),
    countConditionalSpreads(sources),
    countCastWaivers(sources),
    countKindRecipe(pages.get('AGENTS.md') ?? ''),
    ...countSizes(sources),
    ...countWords(all, pages, readWords()),
  ];
};
