import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import type { Provider } from '@tollgate/provider';
import { anthropicProvider } from '@tollgate/provider-anthropic';
import { googleProvider } from '@tollgate/provider-google';
import { openaiProvider } from '@tollgate/provider-openai';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { textOption, UsageError, type CommandInput } from './command.ts';

/** Who answers, and by which models. */
export interface ChosenUpstream {
  readonly provider: Provider;
  readonly catalog: readonly CatalogModel[];
}

/** With a name given, every model of the catalog is run by that one upstream model. */
const catalogOf = (upstreamId: string | undefined): readonly CatalogModel[] =>
  upstreamId === undefined ? defaultCatalog : defaultCatalog.map((row) => ({ ...row, upstreamId }));

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** The Gemini API is only called when it is asked for by name: a key in the environment is no wish to spend. */
const chooseGoogle = (input: CommandInput): ChosenUpstream => {
  const { environment } = input.world;
  const apiKey = nonEmpty(environment['GEMINI_API_KEY']);
  if (apiKey === undefined) throw new UsageError('--upstream google needs a key in GEMINI_API_KEY');
  const baseUrl = nonEmpty(environment['GOOGLE_GEMINI_BASE_URL']);
  return {
    provider: googleProvider({ apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }),
    catalog: catalogOf(textOption(input, 'upstream-model')),
  };
};

/** The catalog has no model of this vendor, so that one must be named. */
const chooseAnthropic = (input: CommandInput): ChosenUpstream => {
  const { environment } = input.world;
  const apiKey = nonEmpty(environment['ANTHROPIC_API_KEY']);
  const model = nonEmpty(textOption(input, 'upstream-model') ?? environment['ANTHROPIC_MODEL']);
  if (apiKey === undefined) throw new UsageError('--upstream anthropic needs a key in ANTHROPIC_API_KEY');
  if (model === undefined) throw new UsageError('--upstream anthropic needs --upstream-model (or ANTHROPIC_MODEL)');
  const baseUrl = nonEmpty(environment['ANTHROPIC_BASE_URL']);
  return { provider: anthropicProvider({ apiKey, baseUrl }), catalog: catalogOf(model) };
};

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const chooseOpenai = (input: CommandInput, baseUrl: string): ChosenUpstream => {
  if (!isHttpUrl(baseUrl))
    throw new UsageError(
      `--upstream (or OPENAI_BASE_URL) has '${baseUrl}', and takes google, anthropic or a base address such as http://localhost:8000/v1`,
    );
  const { environment } = input.world;
  const apiKey = environment['OPENAI_API_KEY'];
  return {
    provider: openaiProvider({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }),
    catalog: catalogOf(textOption(input, 'upstream-model') ?? environment['OPENAI_MODEL']),
  };
};

/** The upstream that a command line and its environment name; without one the sandbox. Keys come from the environment only. */
export const chooseUpstream = (input: CommandInput): ChosenUpstream => {
  const named = nonEmpty(textOption(input, 'upstream') ?? input.world.environment['OPENAI_BASE_URL']);
  if (named === undefined)
    return { provider: sandboxProvider(), catalog: catalogOf(textOption(input, 'upstream-model')) };
  if (named === 'anthropic') return chooseAnthropic(input);
  return named === 'google' ? chooseGoogle(input) : chooseOpenai(input, named);
};
