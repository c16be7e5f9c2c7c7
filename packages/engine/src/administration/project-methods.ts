import type { ApiKeyRecord, IndexCursor, ProjectRecord } from '@tollgate/storage';
import type { Quotas } from '../decisions/quotas.ts';
import type { Bind } from './bind-methods.ts';
import type { KeyChange, KeyInput, ReferredKeyInput } from './key-checks.ts';
import {
  changeKey,
  createKey,
  createKeyOnce,
  findKeys,
  listKeys,
  readKey,
  setKeyStatus,
  type CreatedKey,
  type KeyInfo,
  type KeyQuery,
  type ReferredKey,
} from './keys.ts';
import {
  changeProject,
  closeProject,
  createProject,
  findProjects,
  listProjects,
  readProject,
  setProjectStatus,
  type ProjectChange,
  type ProjectInput,
  type ProjectQuery,
} from './projects.ts';
import { readProjectQuotas, setProjectQuotas, type ProjectQuotas } from './quotas.ts';
import type { Page } from './search.ts';
import { createToken, readToken, revokeToken, type CreatedToken, type TokenInfo, type TokenInput } from './tokens.ts';

/** Projects of accounts, what they may keep, and their keys. */
export interface ProjectMethods {
  /** Opens a project; with an `id` of the host a repeat returns it. Null where the account is missing or closed. */
  readonly createProject: (input: ProjectInput) => Promise<ProjectRecord | null>;
  /** Changes the name, the texts and the status; what is not named stays. Null where there is no such project. */
  readonly changeProject: (projectId: string, change: ProjectChange) => Promise<ProjectRecord | null>;
  /** Pauses, blocks, frees or closes a project. Null where there is none. */
  readonly setProjectStatus: (projectId: string, status: ProjectRecord['status']) => Promise<ProjectRecord | null>;
  /** Ends a project for good: nothing new is opened, and what runs ends. Null where there is none. */
  readonly closeProject: (projectId: string) => Promise<ProjectRecord | null>;
  /** A project, or null. */
  readonly readProject: (projectId: string) => Promise<ProjectRecord | null>;
  /** A page of the projects of an account or of all, newest first, searched by name, id and texts. */
  readonly findProjects: (query?: ProjectQuery) => Promise<Page<ProjectRecord>>;
  /** The projects of an account, newest first, up to a hundred behind a place. */
  readonly listProjects: (accountId: string, after?: IndexCursor) => Promise<readonly ProjectRecord[]>;
  /** What a project may keep, and how much of it is used. Null where there is none. */
  readonly readProjectQuotas: (projectId: string) => Promise<ProjectQuotas | null>;
  /** Gives a project limits of its own in place of all it had; null takes them away. */
  readonly setProjectQuotas: (projectId: string, quotas: Partial<Quotas> | null) => Promise<ProjectQuotas | null>;
  /** Makes a key, whose text is shown this once. Null where the project is missing or closed. */
  readonly createKey: (input: KeyInput) => Promise<CreatedKey | null>;
  /** Makes the key of the host's reference, or returns the one that there is, with `key: null`. Null where the project is missing or closed. */
  readonly createKeyOnce: (input: ReferredKeyInput) => Promise<ReferredKey | null>;
  /** Changes name, status, expiry, models, cap, limits and texts; what is not named stays. Null where there is no such key. */
  readonly changeKey: (keyId: string, change: KeyChange) => Promise<KeyInfo | null>;
  /** Switches a key off or on, or revokes it for good. Null where there is none. */
  readonly setKeyStatus: (keyId: string, status: ApiKeyRecord['status']) => Promise<KeyInfo | null>;
  /** A key without its secret, or null. */
  readonly readKey: (keyId: string) => Promise<KeyInfo | null>;
  /** A page of the keys of a project without their secrets, newest first, searched by name and id. */
  readonly findKeys: (query: KeyQuery) => Promise<Page<KeyInfo>>;
  /** The keys of a project without their secrets, newest first, up to a hundred behind a place. */
  readonly listKeys: (projectId: string, after?: IndexCursor) => Promise<readonly KeyInfo[]>;
  /** Makes a token of a key for a page, whose text is shown this once. Null where the key is missing or may not be used now. */
  readonly createToken: (input: TokenInput) => Promise<CreatedToken | null>;
  /** A token without its secret; null where there is none, or it was forgotten after it expired. */
  readonly readToken: (tokenId: string) => Promise<TokenInfo | null>;
  /** Ends a token for good; what it began goes on. Null where there is none. */
  readonly revokeToken: (tokenId: string) => Promise<TokenInfo | null>;
}

export const bindProjects = (bind: Bind): ProjectMethods => ({
  createProject: bind('createProject', createProject),
  changeProject: bind('changeProject', changeProject),
  setProjectStatus: bind('setProjectStatus', setProjectStatus),
  closeProject: bind('closeProject', closeProject),
  readProject: bind('readProject', readProject),
  findProjects: bind('findProjects', findProjects),
  listProjects: bind('listProjects', listProjects),
  readProjectQuotas: bind('readProjectQuotas', readProjectQuotas),
  setProjectQuotas: bind('setProjectQuotas', setProjectQuotas),
  createKey: bind('createKey', createKey),
  createKeyOnce: bind('createKeyOnce', createKeyOnce),
  changeKey: bind('changeKey', changeKey),
  setKeyStatus: bind('setKeyStatus', setKeyStatus),
  readKey: bind('readKey', readKey),
  findKeys: bind('findKeys', findKeys),
  listKeys: bind('listKeys', listKeys),
  createToken: bind('createToken', createToken),
  readToken: bind('readToken', readToken),
  revokeToken: bind('revokeToken', revokeToken),
});
