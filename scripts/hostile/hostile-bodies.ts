import type { z } from 'zod';
import { placeName, placesOf, type Place } from './body-places.ts';
import { marker, sampleOf } from './body-sample.ts';
import { fillers, type Amount, type Filler } from './fillers.ts';
import { branchesOf, shapeOf, type JsonShape } from './json-shape.ts';

/** A body that is built when it is sent: all of them at once would not fit into memory. */
export interface HostileBody {
  readonly place: string;
  readonly filler: string;
  readonly build: () => string;
}

const textFillers = fillers.filter(({ name }) => name.startsWith('text'));
const isSchemaFiller = ({ name }: Filler): boolean => name.startsWith('schema');

const kindsOf = (shape: JsonShape): ReadonlySet<string> =>
  new Set(
    branchesOf(shape).flatMap(({ type, properties, items }) => {
      if (type !== undefined) return type;
      return properties === undefined && items === undefined ? [] : [properties === undefined ? 'array' : 'object'];
    }),
  );

/** As many of the items that the place takes as the amount allows. */
const legalItems = ({ shape }: Place): Filler | null => {
  const items = branchesOf(shape).find((branch) => branch.items !== undefined)?.items;
  if (items === undefined) return null;
  const one = JSON.stringify(sampleOf(items, null));
  const nodes = 1 + (one.match(/[:,[{]/g) ?? []).length;
  return {
    name: 'items as the contract has them',
    write: ({ bytes, nodesMax }) => {
      const count = Math.max(1, Math.floor(Math.min(bytes / (one.length + 1), nodesMax / nodes)));
      return `[${Array.from({ length: count }, () => one).join(',')}]`;
    },
  };
};

/** What is worth putting in a place: schemas where any object may stand, everything where a list or an object stands. */
const fillersAt = (place: Place): readonly Filler[] => {
  const kinds = kindsOf(place.shape);
  if (place.steps.length > 0 && !kinds.has('object') && !kinds.has('array')) return textFillers;
  const isFree = branchesOf(place.shape).some(({ type, properties }) => type === 'object' && properties === undefined);
  const legal = legalItems(place);
  return [...fillers.filter((filler) => isFree || !isSchemaFiller(filler)), ...(legal === null ? [] : [legal])];
};

/** The bodies that a schema of the contract leads to, each of about so many bytes. */
export const hostileBodies = (schema: z.ZodType, amount: Amount): readonly HostileBody[] => {
  const shape = shapeOf(schema);
  return placesOf(shape).flatMap((place) => {
    const [before = '', after = ''] = JSON.stringify(sampleOf(shape, place.steps)).split(`"${marker}"`);
    const left = { ...amount, bytes: amount.bytes - Buffer.byteLength(before) - Buffer.byteLength(after) };
    return fillersAt(place).map((filler) => ({
      place: placeName(place),
      filler: filler.name,
      build: () => `${before}${filler.write(left)}${after}`,
    }));
  });
};
