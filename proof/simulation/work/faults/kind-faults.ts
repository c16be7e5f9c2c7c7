import type { Storage } from '@tollgate/storage';
import type { Work, WorkContext, WorkKind } from '../../../../packages/engine/src/workers/work-kind.ts';
import { isLostWork } from '../../../../packages/engine/src/workers/work-kind.ts';
import { shippingWork, type WorkSubject } from '../work-subject.ts';
import { alteredWork, type WorkFault } from './work-fault.ts';

/** The shipping kinds, each of whose turns is altered. */
const withTurn = (
  alter: (kind: WorkKind, work: Work, context: WorkContext) => ReturnType<WorkKind['run']>,
): WorkSubject =>
  alteredWork({
    kindsOf: (engine, provider) =>
      shippingWork
        .kindsOf(engine, provider)
        .map((kind) => ({ ...kind, run: (work, context) => alter(kind, work, context) })),
  });

const withCheckpoint = (alter: (checkpoint: WorkContext['checkpoint']) => WorkContext['checkpoint']): WorkSubject =>
  withTurn((kind, work, context) => kind.run(work, { ...context, checkpoint: alter(context.checkpoint) }));

const phaseOf = (work: unknown): unknown =>
  typeof work === 'object' && work !== null && 'phase' in work ? work.phase : undefined;

const withStorage = (alter: (storage: Storage) => Partial<Storage>): WorkSubject =>
  alteredWork({
    createEngine: (options) =>
      shippingWork.createEngine({ ...options, storage: { ...options.storage, ...alter(options.storage) } }),
  });

/** What a kind of work does wrong. */
export const kindFaults: readonly WorkFault[] = [
  {
    name: 'a hand-over is not noted before it is made',
    rule: 'marked_before_the_hand_over',
    subject: withCheckpoint(
      (checkpoint) => (work, shown) => (phaseOf(work) === 'submitting' ? Promise.resolve() : checkpoint(work, shown)),
    ),
  },
  {
    name: 'a turn that has lost its work goes on all the same',
    rule: 'handed_over_once',
    subject: withCheckpoint((checkpoint) => async (work, shown) => {
      try {
        await checkpoint(work, shown);
      } catch (cause) {
        if (!isLostWork(cause)) throw cause;
      }
    }),
  },
  {
    name: 'work that was handed over by a dead worker is handed over again',
    rule: 'handed_over_once',
    subject: withTurn((kind, work, context) => {
      const { resource } = work;
      if (phaseOf(resource.work) !== 'submitting') return kind.run(work, context);
      const asked = {
        phase: 'asked',
        tries: 0,
        order: { references: [], image: null, lastFrame: null, extends: null },
      };
      return kind.run({ ...work, resource: { ...resource, work: asked } }, context);
    }),
  },
  {
    name: 'items that a dead worker has begun are begun again',
    rule: 'handed_over_once',
    subject: withStorage((storage) => ({
      list: async (index, query) => {
        const rows = await storage.list(index, query);
        if (index !== 'itemsByBatch') return rows;
        return rows.map((row) => ('state' in row && row.state === 'running' ? { ...row, state: 'waiting' } : row));
      },
    })),
  },
  {
    name: 'a storage that does not confirm a step leaves work in doubt',
    rule: 'uncertain_with_a_cause',
    setup: { faultPercent: 40, batches: 'items', initialMicros: 5_000n },
    subject: withCheckpoint((checkpoint) => async (work, shown) => {
      try {
        await checkpoint(work, shown);
      } catch (cause) {
        throw new Error('not confirmed', { cause });
      }
    }),
  },
  {
    name: 'work is settled for more than was measured',
    rule: 'charged_exactly_the_measure',
    subject: withTurn(async (kind, work, context) => {
      const outcome = await kind.run(work, context);
      if (outcome.kind !== 'done') return outcome;
      return { ...outcome, usage: outcome.usage.map((meter) => ({ ...meter, quantity: meter.quantity + 1 })) };
    }),
  },
  {
    name: 'a turn that cannot tell how its work ended says that it failed',
    rule: 'executed_is_charged_or_uncertain',
    subject: withTurn(async (kind, work, context) => {
      const outcome = await kind.run(work, context);
      return outcome.kind === 'unknown' ? { kind: 'cancelled' } : outcome;
    }),
  },
];
