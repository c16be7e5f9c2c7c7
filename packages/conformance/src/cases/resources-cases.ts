import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Need, Role } from '../kit/need.ts';
import type { Kit } from '../kit/kit.ts';
import { contents } from './bodies.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Json } from '../wire/json.ts';
import { ended, idsOf, made } from './made-resource.ts';

const common = [
  'id',
  'object',
  'request_id',
  'status',
  'model',
  'display_name',
  'charged_credits',
  'reserved_credits',
  'error_code',
  'created_at',
  'updated_at',
  'completed_at',
  'expires_at',
  'result',
];

interface Kind {
  readonly type: string;
  readonly path: string;
  readonly role: Role;
  /** Whether it is charged work. */
  readonly works: boolean;
  readonly usable: 'active' | 'completed';
  readonly body: (kit: Kit, marker: string) => object;
}

const kinds: readonly Kind[] = [
  {
    type: 'cache',
    path: '/caches',
    role: 'chat',
    works: true,
    usable: 'active',
    body: (_, marker) => ({
      ttl_seconds: 60,
      contents: [{ parts: [{ text: `${marker} ${'The harbour has seven cranes. '.repeat(400)}` }] }],
    }),
  },
  {
    type: 'batch',
    path: '/batches',
    role: 'chat',
    works: true,
    usable: 'completed',
    body: (_, marker) => ({ requests: [{ key: 'a', request: contents(marker) }] }),
  },
  {
    type: 'video',
    path: '/videos',
    role: 'video',
    works: true,
    usable: 'completed',
    body: (_, marker) => ({ prompt: marker }),
  },
  {
    type: 'store',
    path: '/stores',
    role: 'chat',
    works: false,
    usable: 'active',
    body: () => ({ display_name: 'Harbour' }),
  },
  {
    type: 'interaction',
    path: '/interactions',
    role: 'chat',
    works: true,
    usable: 'completed',
    body: (kit, marker) => kit.body('chat', { input: marker }),
  },
  {
    type: 'agent',
    path: '/agents',
    role: 'chat',
    works: false,
    usable: 'active',
    body: () => ({ system_instruction: 'Be brief.' }),
  },
  {
    type: 'environment',
    path: '/environments',
    role: 'chat',
    works: false,
    usable: 'active',
    body: (_, marker) => ({ sources: [{ type: 'inline', target: 'a.txt', content: marker }] }),
  },
];

const needsOf = ({ role }: Kind): readonly Need[] => (role === 'chat' ? ['chat'] : ['chat', role]);

const rulesOfRecords: readonly RuleId[] = [
  'resources:create:200',
  'resources:record:common',
  'resources:record:no-content',
  'resources:list:envelope',
  'resources:delete:response',
  'resources:delete:repeat',
  'resources:get:after-delete',
  'resources:record:result-when-complete',
  'resources:record:result-credits',
  'resources:delete:no-refund',
  'resources:record:id-is-request-id',
];

const checkFirst = (kit: Kit, { type }: Kind, first: Json, marker: string): void => {
  const missing = common.filter((name) => first.at(name).value === undefined);
  kit.same('resources:record:common', missing, [], 'missing fields');
  kit.same('resources:record:common', first.at('object').value, type, 'object');
  kit.holds(
    'resources:record:no-content',
    !JSON.stringify(first.value).includes(marker),
    'the record repeats its content',
  );
};

const checkEnded = (kit: Kit, { usable, works }: Kind, record: Json): void => {
  kit.same('resources:record:result-when-complete', record.at('status').value, usable, 'status in the end');
  const result = record.at('result');
  kit.same('resources:record:result-when-complete', result.value !== null, works, 'whether there is a result');
  if (works && usable === 'completed')
    kit.same(
      'resources:record:result-credits',
      result.at(kit.brand, 'credits').value,
      record.at('charged_credits').value,
      'credits of the result',
    );
};

const checkListed = async (kit: Kit, { path, role: by }: Kind, id: string): Promise<void> => {
  const request = await kit.send({ by, path: `/requests/${id}` });
  kit.same('resources:record:id-is-request-id', request.status, 200, 'the status of the request of that id');
  const list = await kit.send({ by, path });
  kit.same('resources:list:envelope', list.json.at('object').value, 'list', 'object of the list');
  kit.holds('resources:list:envelope', idsOf(list).includes(id), 'the list lacks it');
};

const checkDeleted = async (kit: Kit, { path, role: by }: Kind, id: string): Promise<void> => {
  const ask = { by, path: `${path}/${id}` };
  const deleted = await kit.until({ ...ask, method: 'DELETE' }, ({ status }) => status !== 409);
  const status = kit.taken('resources:delete:response', deleted).at('status').text();
  kit.holds('resources:delete:response', ['deleted', 'settling'].includes(status), `the status ${status}`);
  const read = await kit.until(ask, ({ json }) => json.at('status').value === 'deleted');
  kit.same('resources:get:after-delete', [read.status, read.json.at('status').value], [200, 'deleted'], 'after DELETE');
  kit.holds('resources:get:after-delete', !idsOf(await kit.send({ by, path })).includes(id), 'a deleted one is listed');
  const again = await kit.send({ ...ask, method: 'DELETE' });
  kit.same('resources:delete:repeat', again.status, 404, 'the status of a second DELETE');
};

const recordCase = (kind: Kind): ConformanceCase =>
  conformanceCase(
    `shows the record of the type ${kind.type} from its creation to its deletion`,
    { charges: kind.works ? 1 : 0, rules: rulesOfRecords, needs: needsOf(kind) },
    async (kit) => {
      const { path, role: by } = kind;
      const marker = kit.fresh('seagulls');
      const first = await made(kit, 'resources:create:200', { by, path, body: kind.body(kit, marker) });
      checkFirst(kit, kind, first, marker);
      const id = first.at('id').text();
      checkEnded(kit, kind, await ended(kit, 'resources:create:200', { by, path: `${path}/${id}` }));
      await checkListed(kit, kind, id);
      const chargedOf = async (): Promise<unknown> => {
        const { json } = await kit.send({ by, path: `/requests/${id}` });
        return json.at('status').value === 'completed' ? json.at('charged_credits').value : null;
      };
      const before = await chargedOf();
      await checkDeleted(kit, kind, id);
      if (kind.works && before !== null)
        kit.same('resources:delete:no-refund', await chargedOf(), before, 'charged_credits after DELETE');
    },
  );

export const resourcesCases: readonly ConformanceCase[] = kinds.map(recordCase);
