import { workTheme } from '../work-theme.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

const theme = workTheme;

/** What may be used, by whom, and until when. */
const useFaults: readonly Fault[] = [
  {
    name: 'deletes what somebody began to use after the look',
    theme,
    caughtBy: 'used_is_kept',
    put: (real) => ({
      endResource: (command) =>
        blur(real.endResource(command), 'resource', (seen) => seen && { ...seen, uses: command.uses }),
    }),
  },
  {
    name: 'does not count uses',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }, records) => ({
          writes: rewrite(writes, 'resource', (resource) => ({
            ...resource,
            uses: records.get('resource', resource.id)?.uses ?? 0,
          })),
          answer,
        })),
    }),
  },
  {
    name: 'does not note who uses a resource',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      open: (command) =>
        amend(real.open(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'resourceUse'),
          answer,
        })),
    }),
  },
  {
    name: 'lets what has been deleted be used',
    theme,
    caughtBy: 'ended_is_not_used',
    put: (real) => ({
      open: (command) =>
        blur(real.open(command), 'resource', (seen) =>
          seen?.availability === 'deleted' ? { ...seen, availability: 'active' } : seen,
        ),
    }),
  },
  {
    name: 'lets be used whose time is over',
    theme,
    caughtBy: 'ended_is_not_used',
    put: (real) => ({
      open: (command) => blur(real.open(command), 'resource', (seen) => seen && { ...seen, expiresAtMs: null }),
    }),
  },
  {
    name: 'lets be used what is not ready',
    theme,
    caughtBy: 'ended_is_not_used',
    put: (real) => ({
      open: (command) =>
        blur(real.open(command), 'resource', (seen) =>
          seen?.availability === 'follows' ? { ...seen, availability: 'active' } : seen,
        ),
    }),
  },
  {
    name: 'lets another project use a resource',
    theme,
    caughtBy: 'ended_is_not_used',
    put: (real) => ({
      open: (command) =>
        blur(real.open(command), 'resource', (seen) => seen && { ...seen, projectId: command.projectId }),
    }),
  },
  {
    name: 'opens although the sweep is deleting its blobs',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      open: (command) => blur(real.open(command), 'pendingBlob', (seen) => seen && { ...seen, owner: null }),
    }),
  },
  {
    name: 'deletes what is still worked on',
    theme,
    caughtBy: 'tells_what_is_on_record',
    put: (real) => ({
      endResource: (command) =>
        blur(real.endResource(command), 'operation', (seen) => seen && { ...seen, endedAtMs: seen.endedAtMs ?? 1 }),
    }),
  },
  {
    name: 'keeps the record of what was deleted for ever',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      endResource: (command) =>
        amend(real.endResource(command), (decision, records) => {
          const { writes, answer } = decision;
          const operation = records.get('operation', command.resourceId);
          if (answer.kind !== 'ended' || operation === undefined) return decision;
          return {
            writes: without(writes, (write) => write.table === 'operation'),
            answer: { ...answer, operation },
          };
        }),
    }),
  },
  {
    name: 'goes on counting documents that were deleted',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({ endResource: (command) => real.endResource({ ...command, uncounted: null }) }),
  },
  {
    name: 'purges the record of what can be used',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      purge: (command) =>
        blur(real.purge(command), 'resource', (seen) =>
          seen?.availability === 'active' ? { ...seen, availability: 'follows' } : seen,
        ),
    }),
  },
  {
    name: 'leaves work to do on what costs nothing',
    theme,
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      open: (command) =>
        real.open(
          command.deferred === undefined
            ? command
            : { ...command, deferred: { ...command.deferred, execution: 'queued' } },
        ),
    }),
  },
];

/** Times and claims of resources themselves, and of sessions. */
const timeFaults: readonly Fault[] = [
  {
    name: 'clears away under a claim that ran out',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      clear: (command) =>
        blur(real.clear(command), 'resource', (seen) => seen && { ...seen, owner: command.claimedBy }),
    }),
  },
  {
    name: 'fades under a claim that ran out',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      fade: (command) => blur(real.fade(command), 'resource', (seen) => seen && { ...seen, owner: command.claimedBy }),
    }),
  },
  {
    name: 'lets another time lower the hold below the time that has passed',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      changeTtl: (command) => real.changeTtl({ ...command, holdFor: () => command.holdFor(command.ttlMs) }),
    }),
  },
  {
    name: 'gives more time without a hold for it',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      changeTtl: (command) => ({
        ...real.changeTtl(command),
        decide: (records, nowMs) => {
          const hold = records.get('operation', command.operationId)?.holdMicros ?? 0n;
          return real.changeTtl({ ...command, holdFor: () => hold }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'gives more time than free balance covers',
    theme,
    caughtBy: 'reserved_within_balance',
    put: (real) => ({
      changeTtl: (command) =>
        amend(real.changeTtl(command), (decision, records) => {
          const wallet = records.get('wallet', command.accountId);
          const operation = records.get('operation', command.operationId);
          const resource = records.get('resource', command.operationId);
          if (decision.answer.kind !== 'insufficient' || wallet === undefined) return decision;
          if (operation === undefined || resource === undefined) return decision;
          const reservedMicros = wallet.balanceMicros + 1n;
          return {
            writes: [{ kind: 'put', table: 'wallet', record: { ...wallet, reservedMicros, seq: wallet.seq + 1 } }],
            answer: { kind: 'ttl_changed', operation, resource },
          };
        }),
    }),
  },
  {
    name: 'ends early what somebody began to use after the look',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      endEarly: (command) =>
        blur(real.endEarly(command), 'resource', (seen) => seen && { ...seen, uses: command.uses }),
    }),
  },
  {
    name: 'forgets when a resource was ended',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      endEarly: (command) =>
        amend(real.endEarly(command), ({ writes, answer }, records) => ({
          writes: rewrite(writes, 'resource', (resource) => ({
            ...resource,
            work: records.get('resource', resource.id)?.work ?? null,
          })),
          answer,
        })),
    }),
  },
  {
    name: 'gives a session to a second socket',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      takeAccess: (command) =>
        blur(
          blur(real.takeAccess(command), 'liveSession', (seen) => seen && { ...seen, openedAtMs: null }),
          'operation',
          (seen) => (seen?.state === 'processing' ? { ...seen, state: 'reserved' } : seen),
        ),
    }),
  },
  {
    name: 'opens a session after its access has expired',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      takeAccess: (command) =>
        blur(real.takeAccess(command), 'liveSession', (seen) => seen && { ...seen, accessUntilMs: 9_000_000 }),
    }),
  },
];

export const resourceFaults: readonly Fault[] = [...useFaults, ...timeFaults];
