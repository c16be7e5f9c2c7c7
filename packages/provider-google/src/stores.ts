import {
  asCount,
  asObject,
  asText,
  type CallContext,
  type ImportCall,
  type ImportedDocument,
  type JobProgress,
  type ProjectFile,
  type ProviderStores,
  UnknownOutcome,
} from '@tollgate/provider';
import { jsonBody } from '@tollgate/provider-http';
import { askAfter, handOver, parseJob } from './ask-upstream.ts';
import { askWithCopies } from './ask-with-copies.ts';
import { countInput } from './embed.ts';
import { failedWork } from './operation-error.ts';
import { placeFile } from './place-blobs.ts';
import { ifGone } from './project-copies.ts';
import { send } from './send.ts';
import type { UploadOptions } from './upload-file.ts';
import type { FileReference } from './upstream-file.ts';
import { resourcePath, servicePath, type Upstream } from './upstream.ts';

const optionsOf = (upstream: Upstream, context: CallContext): UploadOptions => ({
  context,
  deadlineMs: upstream.now() + upstream.limits.timeoutMs,
});

const create: (
  upstream: Upstream,
  displayName: string,
  context: CallContext,
) => Promise<{ readonly reference: string }> = async (upstream, displayName, context) => {
  const path = servicePath(upstream, 'fileSearchStores');
  const store = await handOver(upstream, { method: 'POST', path, body: jsonBody({ displayName }), context });
  const reference = asText(store['name']);
  if (reference === undefined) throw new UnknownOutcome('unreadable_answer');
  return { reference };
};

/** Tokens that the upstream charges for an index; it never says, but counts the file for nothing. */
const tokensOf = async (
  upstream: Upstream,
  { mimeType }: ProjectFile,
  { uri }: FileReference,
  options: UploadOptions,
): Promise<number | undefined> => {
  const part = { kind: 'json', value: { fileData: { mimeType, fileUri: uri } } } as const;
  return countInput(upstream, { model: upstream.countingModel, contents: [{ role: 'user', parts: [part] }] }, options);
};

const start = (upstream: Upstream, call: ImportCall, context: CallContext): Promise<{ readonly job: string }> =>
  askWithCopies(true, (isFresh) => startOnce(upstream, call, context, isFresh));

const startOnce = async (
  upstream: Upstream,
  { store, file }: ImportCall,
  context: CallContext,
  isFresh: boolean,
): Promise<{ readonly job: string }> => {
  const options = { ...optionsOf(upstream, context), isFresh };
  const copy = await placeFile(upstream, file, options);
  const tokens = await tokensOf(upstream, file, copy, options);
  const path = `${resourcePath(upstream, store)}:importFile`;
  const body = jsonBody({ fileName: copy.name });
  const operation = await handOver(upstream, { method: 'POST', path, body, context });
  const name = asText(operation['name']);
  if (name === undefined) throw new UnknownOutcome('unreadable_answer');
  return { job: JSON.stringify({ name, store, tokens }) };
};

const poll = async (upstream: Upstream, job: string, context: CallContext): Promise<JobProgress<ImportedDocument>> => {
  const { name, store, tokens } = parseJob(job);
  const operation = await askAfter(upstream, asText(name) ?? '', context);
  if (operation['done'] !== true) return { kind: 'running' };
  const { error } = operation;
  if (error !== undefined && error !== null) throw failedWork(error, upstream.apiKey);
  const document = asText(asObject(operation['response'])?.['documentName']);
  if (document === undefined) throw new UnknownOutcome('unreadable_answer');
  const quantity = asCount(tokens);
  return {
    kind: 'done',
    result: {
      reference: document.includes('/') ? document : `${asText(store) ?? ''}/documents/${document}`,
      usage: quantity === undefined ? [] : [{ unit: 'indexing_tokens', quantity, confirmed: true }],
    },
  };
};

/** Stores and documents are removed with all that they hold. */
const remove = async (upstream: Upstream, reference: string, context: CallContext): Promise<void> => {
  const path = `${resourcePath(upstream, reference)}?force=true`;
  await send(upstream, { method: 'DELETE', path, ...optionsOf(upstream, context) }).catch(ifGone);
};

/** Stores that the upstream indexes and searches itself. */
export const storesOf = (open: () => Promise<Upstream>): ProviderStores => ({
  create: async ({ id, displayName }, context) => create(await open(), displayName ?? id, context),
  imports: {
    start: async (call, context) => start(await open(), call, context),
    poll: async (job, context) => poll(await open(), job, context),
  },
  removeDocument: async (reference, context) => remove(await open(), reference, context),
  remove: async (reference, context) => remove(await open(), reference, context),
});
