import { isInterfaceDeclaration, isPropertySignatureDeclaration } from 'typescript/unstable/ast';
import { countPlaces, type Figure } from './figure.ts';
import { placesOf, type Sources } from './parse-sources.ts';

const root = /^packages\/engine\/src\/[^/]+\.ts$/u;

/** Fields that the interface `Engine` of the package `engine` lists. */
export const countEngineFields = (sources: Sources): Figure => {
  const engine = new Map([...sources].filter(([path]) => path.startsWith('packages/engine/src/')));
  const places = placesOf(engine, (node, source) =>
    isPropertySignatureDeclaration(node) && isInterfaceDeclaration(node.parent) && node.parent.name.text === 'Engine'
      ? node.name.getText(source)
      : null,
  );
  return countPlaces('fields of Engine', '≤ 15', places);
};

/** Files that lie in no folder of the package `engine`. */
export const countEngineRoot = (sources: Sources): Figure =>
  countPlaces(
    "files in the engine's root",
    '≤ 5',
    [...sources.keys()].filter((path) => root.test(path)),
  );
