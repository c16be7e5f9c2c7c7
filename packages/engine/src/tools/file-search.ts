import { isNotExecuted, NotExecuted, type CallContext, type JsonObject } from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import { storeWork } from '../resources/store/store-work.ts';
import { searchDocuments, type FoundPassage } from '../search/search-documents.ts';
import type { ModelRoute } from '../resources/model-route.ts';
import type { ToolContext, ToolFunction, ToolOutcome, ToolRunner } from './tool-runner.ts';

export interface FileSearchOptions {
  readonly engine: Engine;
  /** Who makes the vectors of a public model now; null where none does. */
  readonly findEmbedder: (model: string) => ModelRoute | null;
  /** Passages that one search answers; 8 by default. */
  readonly passagesMax?: number | undefined;
}

const passagesDefault = 8;
/** A question is short; for a longer one the model gets an error. */
const queryCharactersMax = 2_000;
/** Tokens of the longest question, whatever it is written in. */
const queryTokensMax = 4_096;

const declared: ToolFunction = {
  name: 'file_search',
  description:
    'Searches the documents that the user has given and returns the passages that fit a question best. ' +
    'Search before answering from these documents, with a question or words as the documents would put them.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for.' } },
    required: ['query'],
  },
};

const refused = (told: string): ToolOutcome => ({ result: { error: told }, told, isError: true, usage: [] });

// interactions:tools:file-search
/** A passage in the `file_search_result` step. */
const toResult = (passage: FoundPassage): JsonObject => ({
  document_id: passage.documentId,
  store_id: passage.storeId,
  file_id: passage.fileId,
  file_name: passage.fileName,
  page_number: passage.page,
  start_index: passage.startIndex,
  end_index: passage.endIndex,
  score: Number(passage.score.toFixed(6)),
  text: passage.text,
});

/** Where a passage stands; its indexes are those of its page's text, or of the text of a document without pages. */
const toCitation = ({ documentId, fileId, fileName, page, startIndex, endIndex }: FoundPassage): JsonObject => ({
  type: 'file_citation',
  document_id: documentId,
  file_id: fileId,
  file_name: fileName,
  page_number: page,
  start_index: startIndex,
  end_index: endIndex,
});

const toTold = (passages: readonly FoundPassage[]): string =>
  passages.length === 0
    ? 'Nothing was found.'
    : passages
        .map(({ fileName, page, text }, index) => {
          const place = page === null ? fileName : `${fileName}, page ${page}`;
          return `[${index + 1}] ${place}\n${text}`;
        })
        .join('\n\n');

/** No operation of its own carries the call, so the log is its record. */
const callContextOf =
  (engine: Engine, { signal, operationId, accountId, projectId, keyId }: ToolContext) =>
  (provider: string): CallContext => ({
    caller: { accountId, projectId, keyId },
    signal,
    upstreamHeaders: engine.host.upstreamHeaders?.(operationId),
    recordAttempt: (attempt) => engine.logger.info('a question was embedded', { operationId, provider, ...attempt }),
  });

const search = async (
  { engine, findEmbedder, passagesMax = passagesDefault }: FileSearchOptions,
  stores: readonly { readonly id: string }[],
  query: string,
  context: ToolContext,
): Promise<ToolOutcome> => {
  const { operationId, projectId } = context;
  const storeIds = stores.map(({ id }) => id);
  const options = { engine, findEmbedder, callContext: callContextOf(engine, context) };
  const { passages, usage } = await searchDocuments(options, {
    operationId,
    projectId,
    storeIds,
    query,
    limit: passagesMax,
  });
  return {
    result: passages.map(toResult),
    told: toTold(passages),
    annotations: passages.map(toCitation),
    usage: usage.length === 0 ? [] : [...usage, { unit: 'retrieval_queries', quantity: 1, confirmed: true }],
  };
};

/** What a provider keeps and indexes itself cannot be searched from here. */
const refuseUpstream = async (
  { storage }: Pick<Engine, 'storage'>,
  stores: readonly { readonly id: string }[],
): Promise<void> => {
  const records = await storage.read(stores.map(({ id }) => ({ table: 'resource', id }) as const));
  for (const { id } of stores)
    if ((storeWork(records.get('resource', id)?.work)?.upstream?.reference ?? null) !== null)
      throw new NotExecuted({ reason: 'invalid_request', cause: new Error('the store is kept by a provider') });
};

/** Searches stores of the project by meaning, in the gateway's own index, and cites file and page. */
export const fileSearch = (options: FileSearchOptions): ToolRunner<'file_search'> => ({
  tool: 'file_search',
  isRepeatable: true,
  callUsageMax: [
    { unit: 'retrieval_queries', quantity: 1 },
    { unit: 'embedding_tokens', quantity: queryTokensMax },
  ],
  declare: async ({ stores }) => {
    await refuseUpstream(options.engine, stores);
    return [declared];
  },
  run: async ({ stores }, run, context) => {
    const query = run.arguments['query'];
    if (typeof query !== 'string' || query.trim() === '') return refused('The query must be a text.');
    if (query.length > queryCharactersMax) return refused(`The query is longer than ${queryCharactersMax} characters.`);
    try {
      return await search(options, stores, query.toWellFormed(), context);
    } catch (cause) {
      if (!isNotExecuted(cause)) throw cause;
      options.engine.logger.warn('a search was not executed', { operationId: context.operationId, cause });
      return refused('The search is not available now.');
    }
  },
});
