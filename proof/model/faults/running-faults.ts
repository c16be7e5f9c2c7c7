import { amend, blur, rewrite, type Fault } from './fault.ts';

export const runningFaults: readonly Fault[] = [
  {
    name: 'captures the same part each time it is sent',
    caughtBy: 'repeating_changes_nothing',
    put: (real) => ({
      capture: (command) => ({
        ...real.capture(command),
        decide: (records, nowMs) => {
          const captures = records.get('operation', command.operationId)?.captures ?? 0;
          const sequence = command.sequence <= captures ? captures + 1 : command.sequence;
          return real.capture({ ...command, sequence }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'captures more than is held',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      capture: (command) =>
        amend(
          blur(real.capture(command), 'operation', (seen) => seen && { ...seen, holdMicros: seen.holdMicros + 9n }),
          (decision) => {
            const { answer, writes } = decision;
            if (answer.kind !== 'captured') return decision;
            const operation = { ...answer.operation, holdMicros: answer.operation.holdMicros - 9n };
            return { writes: rewrite(writes, 'operation', () => operation), answer: { ...answer, operation } };
          },
        ),
    }),
  },
  {
    name: 'captures out of turn',
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      capture: (command) => ({
        ...real.capture(command),
        decide: (records, nowMs) => {
          const captures = records.get('operation', command.operationId)?.captures ?? 0;
          const sequence = command.sequence > captures ? captures + 1 : command.sequence;
          return real.capture({ ...command, sequence }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'captures from an operation in doubt',
    caughtBy: 'legal_moves_only',
    put: (real) => ({
      capture: (command) =>
        blur(real.capture(command), 'operation', (operation) =>
          operation?.state === 'uncertain' ? { ...operation, state: 'processing' } : operation,
        ),
    }),
  },
  {
    name: 'keeps the captured part in the hold',
    caughtBy: 'holds_sum_to_reserved',
    put: (real) => ({
      capture: (command) =>
        amend(real.capture(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'operation', (operation) => ({
            ...operation,
            holdMicros: operation.holdMicros + command.amountMicros,
          })),
          answer,
        })),
    }),
  },
  {
    name: 'extends by the difference each time it is sent',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      extend: (command) => ({
        ...real.extend(command),
        decide: (records, nowMs) => {
          const operation = records.get('operation', command.operationId);
          const holdMicros = command.holdMicros + (operation?.holdMicros ?? 0n) + (operation?.chargedMicros ?? 0n);
          return real.extend({ ...command, holdMicros }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'forgets what was captured when it is asked to extend again',
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      extend: (command) => ({
        ...real.extend(command),
        decide: (records, nowMs) => {
          const captured = records.get('operation', command.operationId)?.chargedMicros ?? 0n;
          return real.extend({ ...command, holdMicros: command.holdMicros + captured }).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'extends beyond free balance',
    caughtBy: 'reserved_within_balance',
    put: (real) => ({
      extend: (command) =>
        amend(real.extend(command), (decision, records) => {
          const wallet = records.get('wallet', command.accountId);
          const operation = records.get('operation', command.operationId);
          if (decision.answer.kind !== 'insufficient' || wallet === undefined || operation === undefined)
            return decision;
          const more = command.holdMicros - operation.holdMicros - operation.chargedMicros;
          const held = { ...wallet, reservedMicros: wallet.reservedMicros + more, seq: wallet.seq + 1 };
          const extended = { ...operation, holdMicros: operation.holdMicros + more };
          return {
            writes: [
              { kind: 'put', table: 'wallet', record: held },
              { kind: 'put', table: 'operation', record: extended },
            ],
            answer: { kind: 'extended', operation: extended, walletSeq: held.seq },
          };
        }),
    }),
  },
  {
    name: 'lowers a hold when less is asked for',
    caughtBy: 'hold_kept_until_the_end',
    put: (real) => ({
      extend: (command) =>
        amend(real.extend(command), (decision, records) => {
          const operation = records.get('operation', command.operationId);
          if (
            decision.answer.kind !== 'extended' ||
            operation === undefined ||
            command.holdMicros >= operation.holdMicros
          )
            return decision;
          const lowered = { ...operation, holdMicros: command.holdMicros };
          return {
            writes: [{ kind: 'put', table: 'operation', record: lowered }],
            answer: { ...decision.answer, operation: lowered },
          };
        }),
    }),
  },
];
