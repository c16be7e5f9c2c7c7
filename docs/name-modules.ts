// A plugin of TypeDoc: names each module of the API by what a program imports, not by where its source lies.
import { Converter, type Application } from 'typedoc';

/** `contract/src/openapi` is imported as `@tollgate/contract/openapi`. */
const specifierOf = (place: string): string => {
  const [directory, ...rest] = place.split('/').filter((part) => part !== 'src');
  return [directory === 'tollgate' ? 'tollgate' : `@tollgate/${directory}`, ...rest].join('/');
};

export const load = ({ converter }: Application): void => {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = specifierOf(module.name);
  });
};
