import { createHash } from 'node:crypto';
import { ConfigurationError, type ConfigurationFault } from '@tollgate/contract/configuration';
import type { AuthenticateCaller } from '@tollgate/routes';
import { readImportedKeyLine } from './imported-key-lines.ts';
import { readTextFile } from './read-text-file.ts';

interface MappedKey {
  readonly projectId: string;
  readonly keyId: string;
}

/** Faults that are named at the most. */
const faultsMax = 20;

const refusal = (faults: readonly ConfigurationFault[]): ConfigurationError =>
  new ConfigurationError('importedKeys', faults.slice(0, faultsMax));

const faultOf = (place: string, fault: string): ConfigurationFault => ({ place, message: `${place}: ${fault}` });

/** Takes the lines of a file; returns the faults that it has. */
const takeFile = (keys: Map<string, MappedKey>, file: string): readonly ConfigurationFault[] => {
  const lines = readTextFile(file, (fault) => refusal([{ place: file, message: fault }])).split('\n');
  // The import ends each line: what follows the last end is the rest of one that was cut off, or nothing.
  const rest = lines.pop() ?? '';
  const faults = rest === '' ? [] : [faultOf(`${file}, line ${lines.length + 1}`, 'has no end')];
  for (const [at, text] of lines.entries()) {
    const place = `${file}, line ${at + 1}`;
    const line = readImportedKeyLine(text);
    if (typeof line === 'string') {
      faults.push(faultOf(place, line));
      continue;
    }
    const { reference, projectId, keyId } = line;
    const before = keys.get(reference);
    if (before !== undefined && before.keyId !== keyId)
      faults.push(faultOf(place, 'reference is that of an earlier line, which has another key'));
    keys.set(reference, { projectId, keyId });
  }
  return faults;
};

/** Where clients put their key: those of OpenAI, of Anthropic and of Google. */
const credentialOf = (headers: Headers): string | null =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ??
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key');

/**
 * Recognises keys of another gateway by the files that `tollgate import --out` wrote: the option `authenticate`. A caller counts under
 * the imported key, whose cap, models, limits, expiry and status hold. The files are read once, whole. Throws a `ConfigurationError`
 * that names each line that the import would not have written.
 */
export const importedKeys = (...files: readonly string[]): AuthenticateCaller => {
  const keys = new Map<string, MappedKey>();
  const faults = files.flatMap((file) => takeFile(keys, file));
  if (files.length === 0) faults.push({ place: 'files', message: 'files are missing; accepted are paths of files' });
  if (faults.length > 0) throw refusal(faults);
  return ({ headers }) => {
    const credential = credentialOf(headers);
    return credential === null ? null : (keys.get(createHash('sha256').update(credential).digest('hex')) ?? null);
  };
};
