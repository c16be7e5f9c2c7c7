import assert from 'node:assert/strict';
import { isNotExecuted, type CallPiece, type Generation, type Part } from '@tollgate/provider';
import { checkCallPieces, checkCalls, checkPieces } from './generation-checks.ts';
import { proving } from './provider-promises.ts';
import { baseCall, checkShown, freeze, runCall, type ProviderRun, type RunOptions } from './provider-run.ts';
import type { ProviderUnderTest, StreamScenario } from './provider-under-test.ts';

export interface StreamRun extends ProviderRun {
  /** As they were handed over, in order. */
  readonly pieces: readonly Part[];
  /** What was reported of calls before they were whole. */
  readonly callPieces: readonly CallPiece[];
}

export interface StreamOptions extends RunOptions {
  /** Called with each handing over. */
  readonly onParts?: (parts: readonly Part[]) => void;
  /** How long to look for what is handed over after the end (default 0). */
  readonly lateMs?: number;
}

/** Takes what a provider hands over, and notes what breaks a rule. */
const createTaker = (onParts: StreamOptions['onParts']) => {
  const pieces: Part[] = [];
  const callPieces: CallPiece[] = [];
  const wrong: string[] = [];
  const taker = {
    pieces,
    callPieces,
    wrong,
    ended: false,
    take: (parts: readonly Part[]): void => {
      if (taker.ended) wrong.push('a piece is handed over after the end');
      if (parts.length === 0) wrong.push('nothing is handed over');
      pieces.push(...parts);
      onParts?.(parts);
    },
    takeCallPiece: (piece: CallPiece): void => {
      if (taker.ended) wrong.push('a piece of a call is handed over after the end');
      if (pieces.some((part) => part.kind === 'function_call' && part.id === piece.id))
        wrong.push('a piece of a call is handed over after the call');
      callPieces.push(piece);
      onParts?.([]);
    },
  };
  return taker;
};

/** The same piece by piece. The answer is what the pieces and the end come to. */
export const runStream = async (
  underTest: ProviderUnderTest,
  scenario: StreamScenario,
  { call = {}, onParts, lateMs = 0, ...watching }: StreamOptions = {},
): Promise<StreamRun> => {
  const { provider, arrangeStream, secrets } = underTest;
  assert.ok(provider.generateStream !== undefined && arrangeStream !== undefined, 'the provider streams');
  const generateStream = provider.generateStream.bind(provider);
  const arranged = freeze(arrangeStream(scenario, { ...baseCall, ...call }));
  const taker = createTaker(onParts);
  const { pieces, callPieces, wrong } = taker;
  const run = await runCall(underTest, watching, async (context) => {
    try {
      const end = await generateStream(arranged, context, taker.take, taker.takeCallPiece);
      assert.ok(!('text' in end) && !('functionCalls' in end) && !('parts' in end), 'the end repeats the answer');
      return { ...end, ...joined(pieces) };
    } finally {
      taker.ended = true;
    }
  });
  await late(lateMs);
  proving('P24', () => assert.deepEqual(wrong, []));
  proving('P18', () => checkShown(JSON.stringify([pieces, callPieces]), secrets));
  proving('P23', () => checkPieces(pieces));
  proving('P5', () => checkCalls(pieces.filter((piece) => piece.kind === 'function_call')));
  const { answer } = run;
  if (answer !== undefined) proving('P5', () => checkCallPieces(callPieces, answer));
  const handedOver = pieces.length + callPieces.length;
  proving('P16', () =>
    assert.ok(!isNotExecuted(run.failure) || handedOver === 0, 'calls not executed what has handed over a piece'),
  );
  return { ...run, pieces, callPieces };
};

/** Whatever is handed over in that time after the end has come by then. */
const late = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });

const joined = (pieces: readonly Part[]): Pick<Generation, 'text' | 'functionCalls' | 'parts'> => ({
  text: pieces.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join(''),
  functionCalls: pieces.filter((part) => part.kind === 'function_call'),
  parts: pieces,
});
