import type { OperationRecord } from '@tollgate/storage';
import type { Decisions } from '../decisions.ts';
import { workTheme } from '../work-theme.ts';
import { amend, blur, rewrite, type Fault } from './fault.ts';

const theme = workTheme;

const running = (operation: OperationRecord | undefined, owner: string): OperationRecord | undefined =>
  operation && { ...operation, owner };

const isSweep = (owner: string): boolean => owner.startsWith('sweep:');
const processOf = (owner: string): string => owner.split('/')[0] ?? owner;

/** Sees a turn of the same process as this one. */
const takenFor =
  (own: string) =>
  (operation: OperationRecord | undefined): OperationRecord | undefined =>
    operation?.owner != null && processOf(operation.owner) === processOf(own)
      ? { ...operation, owner: own }
      : operation;

/** Renewals that take work for their turn's when it is not. */
const takesBack =
  (from: (owner: string | null, own: string) => boolean) =>
  (real: Decisions): Pick<Decisions, 'renew'> => ({
    renew: (command) =>
      blur(real.renew(command), 'operation', (seen) => {
        const lease = command.operations.find(({ id }) => id === seen?.id);
        return seen && lease && from(seen.owner, lease.owner) ? { ...seen, owner: lease.owner } : seen;
      }),
  });

/** Claimed work: claims, leases, marks. */
export const handFaults: readonly Fault[] = [
  {
    name: 'starts work, whoever has claimed it',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      start: (command) => blur(real.start(command), 'operation', (seen) => running(seen, command.claimedBy)),
    }),
  },
  {
    name: 'keeps the progress of a worker that has lost the work',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      keep: (command) => blur(real.keep(command), 'operation', (seen) => running(seen, command.owner)),
    }),
  },
  {
    name: 'keeps on working on what is in doubt',
    theme,
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      keep: (command) =>
        blur(real.keep(command), 'operation', (seen) =>
          seen?.state === 'uncertain' ? { ...seen, state: 'processing', owner: command.owner } : seen,
        ),
    }),
  },
  {
    name: 'gives up a claim that somebody else has taken meanwhile',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      putBack: (command) => blur(real.putBack(command), 'operation', (seen) => running(seen, command.claimedBy)),
    }),
  },
  {
    name: 'forgets the mark that is kept before the hand-over',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      keep: (command) =>
        amend(real.keep(command), ({ writes, answer }, records) => ({
          writes: rewrite(writes, 'resource', (resource) => ({
            ...resource,
            work: records.get('resource', command.operationId)?.work ?? null,
          })),
          answer,
        })),
    }),
  },
  {
    name: 'leaves work that is put off in the hands of its worker',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      keep: (command) =>
        amend(real.keep(command), (decision) => {
          const { writes, answer } = decision;
          if (answer.kind !== 'kept') return decision;
          const operation = { ...answer.operation, owner: command.owner };
          return { writes: rewrite(writes, 'operation', () => operation), answer: { ...answer, operation } };
        }),
    }),
  },
  {
    name: 'takes work back from the process that has taken it over',
    theme,
    caughtBy: 'works_on_its_own',
    put: takesBack((owner) => owner !== null && !isSweep(owner)),
  },
  {
    name: 'takes work back from the claim of a sweep',
    theme,
    caughtBy: 'works_on_its_own',
    put: takesBack((owner) => owner !== null && isSweep(owner)),
  },
  {
    name: 'takes work back that another turn has put off',
    theme,
    caughtBy: 'works_on_its_own',
    put: takesBack((owner) => owner === null),
  },
  {
    name: 'fails work that is in other hands',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({ fail: ({ owner: _, ...command }) => real.fail(command) }),
  },
  {
    name: 'doubts work by the word of a turn that has lost it',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      doubt: (command) =>
        blur(real.doubt(command), 'operation', (seen) => running(seen, command.expiredOwner ?? seen?.owner ?? '')),
    }),
  },
  {
    name: 'cannot tell the turns of one process',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      keep: (command) => blur(real.keep(command), 'operation', takenFor(command.owner)),
      items: (command) => blur(real.items(command), 'operation', takenFor(command.owner)),
      putBack: (command) => blur(real.putBack(command), 'operation', takenFor(command.claimedBy)),
      renew: takesBack((owner, own) => owner !== null && processOf(owner) === processOf(own))(real).renew,
    }),
  },
  {
    name: 'hands items over for a worker that has lost the batch',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      items: (command) => blur(real.items(command), 'operation', (seen) => running(seen, command.owner)),
    }),
  },
  {
    name: 'hands over again what a dead worker had begun',
    theme,
    caughtBy: 'items_begin_once',
    put: (real) => ({
      items: (command) =>
        amend(real.items(command), (decision, records) => {
          const { answer, writes } = decision;
          if (answer.kind !== 'going') return decision;
          const places = ['0000', '0001', '0002', '0003'].map((place) => `${command.batchId}:${place}`);
          const begun = places.filter((id) => records.get('batchItem', id)?.state === 'running');
          const started = [...new Set([...begun, ...answer.started])];
          return { writes, answer: { ...answer, started } };
        }),
    }),
  },
  {
    name: 'begins items of a batch that is being cancelled',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      items: (command) =>
        amend(real.items(command), ({ writes, answer }) => ({
          writes,
          answer: answer.kind === 'going' ? { ...answer, started: command.start } : answer,
        })),
    }),
  },
  {
    name: 'counts an item each time that its end is told',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      items: (command) =>
        blur(real.items(command), 'batchItem', (item) =>
          item?.state === 'completed' ? { ...item, state: 'running' } : item,
        ),
    }),
  },
];
