/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface FileRecord {
  readonly id: string;
  readonly name: string;
  readonly status: 'processing' | 'active' | 'failed' | 'expired' | 'deleted';
}

const send = async <T>(target: Target, path: string, body?: unknown): Promise<T> => {
  const response = await target.fetch(
    new Request(`${target.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as T;
};

// #region upload
/** Uploads a file and waits until it can be used. */
export const uploadFile = async (target: Target, name: string, bytes: Uint8Array): Promise<FileRecord> => {
  let file = await send<FileRecord>(target, '/files', {
    display_name: name,
    mime_type: 'text/plain',
    data: Buffer.from(bytes).toString('base64'),
  });
  while (file.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    file = await send<FileRecord>(target, `/files/${file.id}`);
  }
  if (file.status !== 'active') throw new Error(`the file is ${file.status}`);
  return file;
};
// #endregion upload

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

// #region ask
/** Asks about a file; any number of calls may use it until it expires. */
export const askAbout = async (target: Target, file: FileRecord, question: string): Promise<string> => {
  const completion = await send<Completion>(target, '/chat/completions', {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_id: file.id } },
          { type: 'text', text: question },
        ],
      },
    ],
  });
  return completion.choices[0]?.message.content ?? '';
};
// #endregion ask
