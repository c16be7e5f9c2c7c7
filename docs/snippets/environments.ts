/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Entry {
  readonly path: string;
  readonly type: 'file' | 'directory';
}

interface Page {
  readonly data: readonly Entry[];
  readonly next_cursor: string | null;
}

const send = async ({ baseUrl, key, fetch }: Target, path: string, body?: object): Promise<Response> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(new Request(`${baseUrl}${path}`, init));
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
};

// #region create
/** An environment with two files, whose programs and tools may send requests to one domain. */
export const createEnvironment = async (target: Target): Promise<string> => {
  const response = await send(target, '/environments', {
    display_name: 'Monthly report',
    sources: [
      { type: 'inline', target: 'report.py', content: "print(open('data/sales.csv').read())" },
      { type: 'inline', target: 'data/sales.csv', content: 'bW9udGgsdG90YWwKMSw0Mg==', encoding: 'base64' },
    ],
    network: { allowlist: [{ domain: 'api.example.com', transform: { authorization: 'Bearer a-secret' } }] },
  });
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { id } = (await response.json()) as { readonly id: string };
  return id;
};
// #endregion create

// #region list
/** The paths of all files, read in pages. */
export const listFiles = async (target: Target, id: string): Promise<readonly string[]> => {
  const paths: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query = new URLSearchParams({ recursive: 'true', cursor });
    const response = await send(target, `/environments/${id}/files?${query.toString()}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    const page = (await response.json()) as Page;
    for (const { path, type } of page.data) if (type === 'file') paths.push(path);
    cursor = page.next_cursor;
  }
  return paths;
};

/** The bytes of one file. */
export const downloadFile = async (target: Target, id: string, path: string): Promise<Uint8Array> => {
  const query = new URLSearchParams({ path, download: 'true' });
  return (await send(target, `/environments/${id}/files?${query.toString()}`)).bytes();
};
// #endregion list
