import { mediaTypeByExtension } from '@tollgate/contract';

const unknownType = 'application/octet-stream';

/** Text and archives by the endings that programs write, beside the media that the contract knows. */
const byExtension: ReadonlyMap<string, string> = new Map([
  ['c', 'text/x-c'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['html', 'text/html'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['log', 'text/plain'],
  ['md', 'text/markdown'],
  ['py', 'text/x-python'],
  ['sh', 'text/x-shellscript'],
  ['svg', 'image/svg+xml'],
  ['tar', 'application/x-tar'],
  ['toml', 'application/toml'],
  ['ts', 'text/x-typescript'],
  ['tsv', 'text/tab-separated-values'],
  ['txt', 'text/plain'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['zip', 'application/zip'],
]);

// environments:files:download
/** What a file of an environment is taken for by the ending of its name. */
export const environmentMimeType = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return unknownType;
  const extension = name.slice(dot + 1).toLowerCase();
  return byExtension.get(extension) ?? mediaTypeByExtension.get(extension)?.mimeType ?? unknownType;
};
