import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conflictOf, type Choices } from './choices.ts';
import { CreateError } from './create-error.ts';
import { packageManifest } from './package-manifest.ts';
import { nameFault } from './project-name.ts';
import { renderTemplate } from './render-template.ts';

export interface ProjectOptions {
  /** Made where it is missing; one that has files is refused. */
  readonly directory: string;
  /** By default the name of the folder. */
  readonly name?: string | undefined;
  readonly choices: Choices;
}

const templates = path.join(import.meta.dirname, '../templates');
const manifestFile = path.join(import.meta.dirname, '../package.json');
const secretBytes = 32;

/** The folders of templates that make a project. A file of a later one replaces that of an earlier one. */
const layersOf = ({ host, storage, provider, payments }: Choices): readonly string[] => {
  const isOwnServer = host !== 'next';
  const usesListener = host === 'hono' || host === 'express' || (host === 'node' && payments === 'stripe');
  return [
    'base',
    ...(isOwnServer ? ['server'] : []),
    ...(usesListener ? ['listener'] : []),
    ...(storage === 'memory' ? [] : ['commands']),
    ...(provider === 'sandbox' ? [] : ['upstream']),
    `host/${host}`,
    `storage/${storage}`,
    `provider/${provider}`,
    ...(payments === 'stripe' ? ['payments/stripe'] : []),
    ...(payments === 'stripe' && host === 'next' ? ['payments/stripe-next'] : []),
  ];
};

/** npm leaves files out of packages whose names begin with a dot, or reads them: the templates call them `dot-…`. */
const targetOf = (file: string): string => file.replace(/^dot-/u, '.');

const filesOf = async (layer: string): Promise<readonly (readonly [string, string])[]> => {
  const folder = path.join(templates, layer);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const source = path.join(entry.parentPath, entry.name);
        return [targetOf(path.relative(folder, source)), await readFile(source, 'utf8')] as const;
      }),
  );
};

const ownManifest = async (): Promise<{ readonly version: string; readonly homepage: string }> => {
  const manifest: unknown = JSON.parse(await readFile(manifestFile, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null) throw new Error('create-tollgate has no manifest');
  return { version: String(Reflect.get(manifest, 'version')), homepage: String(Reflect.get(manifest, 'homepage')) };
};

/** The files of a project by their paths in it. `contextSecret` is what its `.env` begins with. */
export const renderProject = async (
  name: string,
  choices: Choices,
  contextSecret: string,
): Promise<ReadonlyMap<string, string>> => {
  const { version, homepage } = await ownManifest();
  const files = new Map<string, string>();
  for (const layer of layersOf(choices))
    for (const [file, text] of await filesOf(layer))
      files.set(
        file,
        renderTemplate(text, choices).replaceAll('PROJECT_NAME', name).replaceAll('DOCUMENTATION', homepage),
      );
  files.set('package.json', `${JSON.stringify(packageManifest(name, choices, version), null, 2)}\n`);
  const settings = files.get('.env.example') ?? '';
  files.set('.env', settings.replace(/^TOLLGATE_CONTEXT_SECRET=$/mu, `TOLLGATE_CONTEXT_SECRET=${contextSecret}`));
  return files;
};

const nameOf = (directory: string): string => path.basename(path.resolve(directory));

/** Also a link whose target is missing, which cannot be made a folder. */
const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

const entriesOf = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      if (await isThere(directory))
        throw new CreateError(`${directory} is a link to nothing; name a folder that is empty or does not exist`);
      return [];
    }
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR')
      throw new CreateError(`${directory} is a file; name a folder that is empty or does not exist`);
    throw cause;
  }
};

/** Throws a `CreateError` where no project can be made in the folder. */
export const refuseDirectory = async (directory: string, name = nameOf(directory)): Promise<void> => {
  const fault = nameFault(name);
  if (fault !== null) throw new CreateError(fault);
  const present = (await entriesOf(directory)).filter((entry) => entry !== '.git');
  if (present.length > 0)
    throw new CreateError(
      `${directory} is not empty, it has ${present[0]}; name a folder that is empty or does not exist`,
    );
};

/** Writes a project. Throws a `CreateError` that says what is wrong and what is accepted, before it writes anything. */
export const createProject = async ({ directory, choices, name }: ProjectOptions): Promise<readonly string[]> => {
  const projectName = name ?? nameOf(directory);
  await refuseDirectory(directory, projectName);
  const conflict = conflictOf(choices);
  if (conflict !== null) throw new CreateError(conflict);
  const files = await renderProject(projectName, choices, randomBytes(secretBytes).toString('hex'));
  for (const [file, text] of files) {
    const target = path.join(directory, file);
    await mkdir(path.dirname(target), { recursive: true });
    // `.env` has a secret: only its owner reads it.
    await writeFile(target, text, { flag: 'wx', mode: file === '.env' ? 0o600 : 0o644 });
  }
  return [...files.keys()].toSorted();
};
