import { occurrenceId } from '../../../packages/engine/src/decisions/trigger.ts';
import { eventTheme } from '../event-theme.ts';
import { amend, blur, rewrite, type Fault } from './fault.ts';

const theme = eventTheme;

/** Schedules and their occurrences. */
export const scheduleFaults: readonly Fault[] = [
  {
    name: 'makes an occurrence of an instant that somebody else has taken',
    theme,
    caughtBy: 'one_occurrence_an_instant',
    put: (real) => ({
      occur: (command) =>
        amend(real.occur(command), (decision, records, nowMs) => {
          const { claimed } = command;
          const id = occurrenceId(claimed.id, claimed.nextRunAtMs ?? 0);
          const known = records.get('occurrence', id);
          if (decision.answer.kind !== 'lost' || known === undefined) return decision;
          const occurrence = { ...known, id: `${id}:${nowMs}`, status: 'pending' as const };
          return {
            writes: [{ kind: 'put', table: 'occurrence', record: occurrence }],
            answer: { kind: 'pending', occurrence },
          };
        }),
    }),
  },
  {
    name: 'names occurrences without their instant',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      occur: (command) =>
        amend(real.occur(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'occurrence', (occurrence) => ({ ...occurrence, id: occurrence.triggerId })),
          answer,
        })),
    }),
  },
  {
    name: 'makes up for what was missed',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      occur: (command) => {
        const { keys, decide } = real.occur(command);
        return { keys, decide: (records) => decide(records, (command.claimed.nextRunAtMs ?? 0) + 1) };
      },
    }),
  },
  {
    name: 'runs a schedule that was paused',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      occur: ({ claimed, ...command }) =>
        blur(real.occur({ claimed, ...command }), 'trigger', (seen) =>
          seen?.status === 'paused'
            ? { ...seen, status: 'enabled', owner: claimed.owner, nextRunAtMs: claimed.nextRunAtMs }
            : seen,
        ),
    }),
  },
  {
    name: 'runs at once when a schedule is resumed',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      changeTrigger: (command) =>
        amend(real.changeTrigger(command), ({ writes, answer }, _, nowMs) => ({
          writes: rewrite(writes, 'trigger', (trigger) =>
            trigger.status === 'enabled' ? { ...trigger, dueAtMs: nowMs } : trigger,
          ),
          answer,
        })),
    }),
  },
  {
    name: 'brings a deleted schedule back',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      changeTrigger: (command) =>
        blur(real.changeTrigger(command), 'trigger', (seen) =>
          seen?.status === 'disabled' ? { ...seen, status: 'paused' } : seen,
        ),
    }),
  },
  {
    name: 'gives an occurrence up although its interaction is open',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      concludeOccurrence: (command) => blur(real.concludeOccurrence(command), 'operation', () => undefined),
    }),
  },
  {
    name: 'concludes an occurrence that is over',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      concludeOccurrence: (command) =>
        blur(real.concludeOccurrence(command), 'occurrence', (seen) =>
          seen?.status === 'skipped' || seen?.status === 'completed' ? { ...seen, status: 'processing' } : seen,
        ),
    }),
  },
  {
    name: 'counts no refusal of a schedule',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      concludeOccurrence: (command) =>
        amend(real.concludeOccurrence(command), ({ writes, answer }) => ({
          writes: writes.filter(({ table }) => table !== 'trigger'),
          answer,
        })),
    }),
  },
  {
    name: 'pauses a schedule one refusal too late',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      concludeOccurrence: (command) =>
        real.concludeOccurrence({ ...command, refusalsMax: (command.refusalsMax ?? 0) + 1 }),
    }),
  },
];
