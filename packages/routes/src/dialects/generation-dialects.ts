import { messages } from './anthropic/messages.ts';
import type { GenerationDialect } from './generation/generation-dialect.ts';
import { readKept } from './generation/kept-answer.ts';
import { responses } from './openai/responses/responses.ts';

const dialects: ReadonlyMap<string, GenerationDialect> = new Map(
  [messages, responses].map((dialect) => [dialect.name, dialect]),
);

/** The dialect that writes a kept answer. Throws for a name that this release does not have. */
export const dialectOf = (body: string): GenerationDialect => {
  const { dialect: name } = readKept(body);
  const dialect = dialects.get(name);
  if (dialect === undefined) throw new Error(`an answer was kept by a dialect of another release: ${name}`);
  return dialect;
};
