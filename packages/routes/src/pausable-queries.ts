import { GatewayError, isUuid, limits, parseEnabledPatch } from '@tollgate/contract';
import type { Access, Engine } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';
import { jsonAnswer } from './json-answer.ts';
import { readJson } from './read-json.ts';
import type { Service } from './service.ts';

export interface PausableName {
  readonly id: string;
  readonly projectId: string;
}

/** What is made once, paused and resumed, and disabled for good while its record and its history stay readable. */
export interface Pausable<R> {
  readonly list: (engine: Engine, projectId: string) => Promise<readonly R[]>;
  readonly find: (engine: Engine, name: PausableName) => Promise<R | null>;
  /** Null where it is disabled or unknown. */
  readonly setEnabled: (engine: Engine, name: PausableName, enabled: boolean) => Promise<R | null>;
  readonly disable: (engine: Engine, name: PausableName) => Promise<R | null>;
  readonly bodyOf: (record: R) => unknown;
  /** Bodies of what it has done, newest first. */
  readonly history: (engine: Engine, id: string) => Promise<readonly unknown[]>;
}

/** The queries of the routes of such a kind. */
export interface PausableQueries {
  readonly list: (service: Service, access: Access) => Promise<GatewayResponse>;
  /** A disabled one can still be read. */
  readonly get: (service: Service, access: Access, id: string) => Promise<GatewayResponse>;
  /** Pauses or resumes; a disabled one is not found. */
  readonly patch: (service: Service, access: Access, request: GatewayRequest, id: string) => Promise<GatewayResponse>;
  readonly disable: (service: Service, access: Access, id: string) => Promise<GatewayResponse>;
  readonly history: (service: Service, access: Access, id: string) => Promise<GatewayResponse>;
}

const listOf = (data: readonly unknown[]): GatewayResponse => jsonAnswer(JSON.stringify({ object: 'list', data }));

const nameOf = ({ projectId }: Access, id: string): PausableName => {
  if (!isUuid(id)) throw new GatewayError('not_found');
  return { id, projectId };
};

export const pausableQueries = <R>(kind: Pausable<R>): PausableQueries => {
  const answerWith = (record: R | null): GatewayResponse => {
    if (record === null) throw new GatewayError('not_found');
    return jsonAnswer(JSON.stringify(kind.bodyOf(record)));
  };
  const requireName = async ({ engine }: Service, access: Access, id: string): Promise<PausableName> => {
    const name = nameOf(access, id);
    if ((await kind.find(engine, name)) === null) throw new GatewayError('not_found');
    return name;
  };
  return {
    list: async (service, { projectId }) => listOf((await kind.list(service.engine, projectId)).map(kind.bodyOf)),
    get: async (service, access, id) => answerWith(await kind.find(service.engine, nameOf(access, id))),
    patch: async (service, access, request, id) => {
      const name = await requireName(service, access, id);
      const { value } = await readJson(service, request, limits.bodyBytesMax.other);
      return answerWith(await kind.setEnabled(service.engine, name, parseEnabledPatch(value)));
    },
    disable: async (service, access, id) => answerWith(await kind.disable(service.engine, nameOf(access, id))),
    history: async (service, access, id) => {
      await requireName(service, access, id);
      return listOf(await kind.history(service.engine, id));
    },
  };
};
