import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { RefusedRole } from '../kit/need.ts';
import type { RuleId } from '../rules/rules.ts';
import { hello, identified } from './bodies.ts';

/** How each kind of key is refused, and the rules that say so. */
const refusals: readonly (readonly [role: RefusedRole, status: number, code: string, rules: readonly RuleId[]])[] = [
  ['revoked', 401, 'invalid_api_key', ['auth:bearer:revoked', 'ledger:precheck:key-project-account']],
  ['inactive', 401, 'ai_key_inactive', ['auth:key:inactive', 'ledger:precheck:key-project-account']],
  ['paused', 403, 'project_paused', ['auth:project:paused', 'ledger:precheck:key-project-account']],
  ['blocked', 403, 'access_blocked', ['auth:project:access-blocked', 'errors:code:access-blocked']],
  ['no-contract', 402, 'ai_contract_inactive', ['auth:account:access-unavailable']],
];

/** What is free, and so needs no balance. */
const freePaths = ['/models', '/files', '/webhooks', '/triggers', '/stores', '/interactions'];

export const refusedKeyCases: readonly ConformanceCase[] = [
  ...refusals.map(([role, status, code, rules]) =>
    conformanceCase(
      `refuses a key that is ${role}, before anything is registered`,
      { rules, needs: [role] },
      async (kit) => {
        const answer = await kit.chat(hello, { by: role });
        for (const rule of rules) kit.refused(rule, answer, status, code);
        kit.absent(kit.rule, answer.json.at('error', 'request_id').value, 'request_id');
        const query = await kit.send({ by: role, path: '/models' });
        kit.same(kit.rule, query.status, status, 'the status of GET /models');
      },
    ),
  ),
  conformanceCase(
    'runs and registers nothing for an account without credits',
    {
      rules: ['errors:status:402', 'requests:move:preparing-failed', 'idempotency:refused:not-consumed'],
      needs: ['poor'],
    },
    async (kit) => {
      const identity = identified(kit.fresh('poor'));
      for (let times = 0; times < 2; times += 1) {
        const answer = await kit.chat(hello, { ...identity, by: 'poor' });
        kit.refused('errors:status:402', answer, 402, 'ai_insufficient_credits');
        kit.refused('idempotency:refused:not-consumed', answer, 402, 'ai_insufficient_credits');
        const id = answer.json.at('error', 'request_id').text();
        // Registered or not, nothing may be held.
        const { json } = await kit.send({
          by: 'poor',
          path: `/requests/${id || '01900000-0000-7000-8000-000000000000'}`,
        });
        const held = json.at('reserved_credits').value ?? 0;
        kit.same('requests:move:preparing-failed', held, 0, 'reserved_credits');
      }
    },
  ),
  conformanceCase(
    'serves what is free to an account without credits',
    { rules: ['ledger:free:routes'], needs: ['poor'] },
    async (kit) => {
      for (const path of freePaths) {
        const { status } = await kit.send({ by: 'poor', path });
        kit.same('ledger:free:routes', status, 200, `the status of GET ${path}`);
      }
      const data = Buffer.from('Words.').toString('base64');
      const file = await kit.send({
        by: 'poor',
        path: '/files',
        body: { display_name: 'a.txt', mime_type: 'text/plain', data },
      });
      kit.same('ledger:free:routes', file.status, 201, 'the status of an upload');
      await kit.send({ by: 'poor', method: 'DELETE', path: `/files/${file.json.at('id').text()}` });
    },
  ),
];
