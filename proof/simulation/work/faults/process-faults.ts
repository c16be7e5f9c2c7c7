import type { Engine } from '@tollgate/engine';
import { countedUnderWay } from '../../../../packages/engine/src/decisions/under-way.ts';
import { projectIds } from '../../world.ts';
import { shippingWork, type WorkSubject } from '../work-subject.ts';
import { alteredWork, type WorkFault } from './work-fault.ts';

const recordKeptMs = 90 * 86_400_000;

const withEngine = (alter: (engine: Engine) => Partial<Engine>): WorkSubject =>
  alteredWork({
    createEngine: (options) => {
      const engine = shippingWork.createEngine(options);
      return { ...engine, ...alter(engine) };
    },
  });

/** What a process does wrong with work that it shares with others. */
export const processFaults: readonly WorkFault[] = [
  {
    name: 'work fails by the word of a turn that has lost it',
    rule: 'failed_by_its_holder',
    subject: withEngine(({ operationLedger }) => ({
      operationLedger: { ...operationLedger, fail: ({ owner: _, ...command }) => operationLedger.fail(command) },
    })),
  },
  {
    name: 'nobody looks after what dead processes left',
    rule: 'nothing_left_running',
    subject: alteredWork({
      sweep: async (engine, parts) => {
        const claim: Engine['storage']['claim'] = async (query) => {
          const rows = await engine.storage.claim(query);
          return rows.filter((row) => !('state' in row && row.state === 'processing'));
        };
        return shippingWork.sweep({ ...engine, storage: { ...engine.storage, claim } }, parts);
      },
    }),
  },
  {
    name: 'a client that cancels gets its hold back at once',
    rule: 'executed_is_charged_or_uncertain',
    setup: { ledger: 'wallet' },
    subject: alteredWork({
      cancelResource: async (engine, projectId, kind, id) => {
        const found = await shippingWork.cancelResource(engine, projectId, kind, id);
        if (found === null || found.operation.endedAtMs !== null) return found;
        const { id: operationId, accountId } = found.operation;
        const command = { operationId, accountId, errorCode: 'cancelled', attempts: null, recordKeptMs };
        const counted = countedUnderWay(found.operation);
        await engine.operationLedger.fail({ ...command, ...counted, anomalyId: engine.newId() });
        return found;
      },
    }),
  },
  {
    name: 'a process that is about to end parks what others work on',
    rule: 'lease_respected',
    subject: alteredWork({
      markRunningUncertain: async (engine) => {
        const others = await engine.storage.list('operationsByProject', { of: projectIds[0], limit: 10 });
        for (const { id } of others) engine.running.add(id, engine.owner);
        return shippingWork.markRunningUncertain(engine);
      },
    }),
  },
];
