import type { GatewayOptions } from 'tollgate';

/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Resource {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
}

interface Citation {
  readonly type: string;
  readonly file_name: string;
  readonly page_number: number | null;
}

interface Interaction extends Resource {
  readonly result: {
    readonly steps: readonly {
      readonly type: string;
      readonly content?: readonly { readonly text?: string; readonly annotations?: readonly Citation[] }[];
    }[];
  } | null;
}

const send = async <T>(target: Target, method: string, path: string, body?: unknown): Promise<T> => {
  const request = new Request(`${target.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await target.fetch(request);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as T;
};

const waitFor = async <T extends Resource>(target: Target, path: string): Promise<T> => {
  for (;;) {
    const found = await send<T>(target, 'GET', path);
    if (found.status === 'completed') return found;
    if (['failed', 'uncertain', 'deleted'].includes(found.status)) throw new Error(`${found.error_code}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

// #region index
/** Indexes a PDF in a new store and returns the store's id. */
export const indexPdf = async (target: Target, name: string, pdf: Uint8Array): Promise<string> => {
  const data = Buffer.from(pdf).toString('base64');
  const upload = { display_name: name, mime_type: 'application/pdf', data };
  const file = await send<Resource>(target, 'POST', '/files', upload);
  const store = await send<Resource>(target, 'POST', '/stores', { display_name: 'Handbooks' });
  const document = await send<Resource>(target, 'POST', '/documents', { store: store.id, file: file.id });
  await waitFor(target, `/documents/${document.id}`);
  return store.id;
};
// #endregion index

// #region ask
/** Searches the documents of a store; returns the text and where it was found. */
export const askStore = async (
  target: Target,
  store: string,
  input: string,
): Promise<{ readonly text: string; readonly citations: readonly Citation[] }> => {
  const tools = [{ type: 'file_search', stores: [store] }];
  const { id } = await send<Interaction>(target, 'POST', '/interactions', { input, tools });
  const { result } = await waitFor<Interaction>(target, `/interactions/${id}`);
  const output = result?.steps.findLast(({ type }) => type === 'model_output')?.content ?? [];
  return {
    text: output.map(({ text = '' }) => text).join(''),
    citations: output.flatMap(({ annotations = [] }) => annotations),
  };
};
// #endregion ask

// #region options
export const indexing: NonNullable<GatewayOptions['indexing']> = {
  // For new stores; by default the recommended embedding model that is available.
  model: 'embedding-001',
  // The length of the vectors of new stores; by default 768, or a length that the model supports.
  dimensions: 768,
  // The number of chunks that one search returns.
  passagesMax: 8,
  limits: { charactersMax: 4_000_000, chunkCharactersMax: 1_600, overlapCharacters: 200, chunksMax: 10_000 },
};
// #endregion options
