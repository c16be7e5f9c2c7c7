import {
  withUsageAtLeast,
  type CallContext,
  type CallPiece,
  type Generation,
  type GenerationCall,
  type OnCallPiece,
  type OnParts,
  type Part,
} from '@tollgate/provider';
import { refuseAudioFormat } from './answer-media.ts';
import { answerPieces } from './answer-pieces.ts';
import { conduct, lostAnswer, pause, type SandboxWorld } from './conduct.ts';
import { parseDirectives, type Directive } from './directives.ts';
import { lastUserText } from './free-text.ts';
import { sandboxReply } from './sandbox-reply.ts';
import { isInputUnit } from './sandbox-usage.ts';

/** Who takes the pieces of a generation. */
export interface PieceTaker {
  readonly onParts: OnParts;
  readonly onCallPiece?: OnCallPiece | undefined;
}

/** Runs a generation, piece by piece. A caller who wants it whole ignores the pieces, and waits as long. */
export const runGeneration = async (
  world: SandboxWorld,
  call: GenerationCall,
  context: CallContext,
  { onParts, onCallPiece }: PieceTaker,
): Promise<Generation> => {
  refuseAudioFormat(call);
  const directives = parseDirectives(lastUserText(call), 'generation');
  return conduct({ world, context, directives }, async (begin) => {
    const reply = sandboxReply(call, directives);
    try {
      await handOver({ world, context, directives }, reply.parts, (piece) => {
        begin();
        if (piece.kind === 'call_piece') onCallPiece?.(piece);
        else onParts([piece]);
      });
    } catch (failure) {
      // As upstreams do that say with the first piece what went in.
      throw withUsageAtLeast(
        failure,
        reply.usage.filter(({ unit }) => isInputUnit(unit)),
      );
    }
    return reply;
  });
};

interface Handing {
  readonly world: SandboxWorld;
  readonly context: CallContext;
  readonly directives: readonly Directive[];
}

/** Hands over the pieces as the directives say; throws where they lose the answer. */
const handOver = async (
  { world, context, directives }: Handing,
  parts: readonly Part[],
  onPiece: (piece: Part | CallPiece) => void,
): Promise<void> => {
  const stream = directives.find((directive) => directive.kind === 'stream');
  const cut = directives.find((directive) => directive.kind === 'cut');
  const pieces = answerPieces(parts, stream?.pieces).slice(0, cut?.pieces);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(world, stream?.pauseMs ?? 0, context.signal);
    onPiece(piece);
  }
  if (cut !== undefined) throw lostAnswer();
};
