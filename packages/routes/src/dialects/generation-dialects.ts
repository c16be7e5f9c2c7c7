import { routes } from '@tollgate/contract';
import { also, faultAt, having, list, type OptionCheck } from '@tollgate/contract/configuration';
import { messages } from './anthropic/messages.ts';
import type { GenerationDialect } from './generation/generation-dialect.ts';
import { completions } from './openai/completions.ts';
import { ollamaChat, ollamaGenerate } from './ollama/ollama-generation.ts';
import { mediaDialects } from './openai/media-methods.ts';
import { responses } from './openai/responses/responses.ts';

const builtIn: readonly GenerationDialect[] = [
  messages,
  responses,
  completions,
  ...mediaDialects,
  ollamaChat,
  ollamaGenerate,
];

/** The dialect of a name, of this release or of the host. Throws for a name that neither has. */
export const dialectOf = (own: readonly GenerationDialect[], name: string): GenerationDialect => {
  const dialect = [...builtIn, ...own].find((each) => each.name === name);
  if (dialect === undefined)
    throw new Error(`an answer was kept by a dialect that this gateway does not have: ${name}`);
  return dialect;
};

const pathShape = /^(?:\/[\w.~-]+)+$/;
const takenPaths = new Set<string>([...routes.map(({ path }) => path), ...builtIn.map(({ path }) => path)]);
const takenNames = new Set(builtIn.map(({ name }) => name));

const isFree = ({ name, path }: GenerationDialect): boolean =>
  typeof name === 'string' &&
  name !== '' &&
  !takenNames.has(name) &&
  typeof path === 'string' &&
  pathShape.test(path) &&
  !takenPaths.has(path);

/** A dialect of the host: with a name of its own, and at a path that no other route has. */
const dialectCheck: OptionCheck<GenerationDialect> = also(
  having<GenerationDialect>('read', 'openStream', 'writeWhole'),
  (dialect, place) =>
    isFree(dialect)
      ? []
      : faultAt(
          place,
          'has a name or a path that is taken, or none',
          'is a dialect with a name and a path of its own, such as /generate',
        ),
);

const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** The dialects that a host adds. */
export const dialectsCheck: OptionCheck<readonly GenerationDialect[]> = also(list(dialectCheck), (dialects, place) =>
  isDistinct(dialects.map(({ name }) => name)) && isDistinct(dialects.map(({ path }) => path))
    ? []
    : faultAt(place, 'has two dialects of one name or path', 'are dialects whose names and paths differ'),
);
