import { divideParts, parseDivision } from '../../generate/stream-division.ts';
import type { SettledAnswer, StreamWriter } from './generation-dialect.ts';
import { isKeptPart, type AnswerPart } from './kept-answer.ts';

/** The pieces of a stream as they were sent where that was noted; else each part is a piece. */
const piecesOf = ({ answer }: SettledAnswer, division: string | null): readonly (readonly AnswerPart[])[] => {
  const noted = division === null ? null : parseDivision(division);
  const divided = noted === null ? null : divideParts(noted, answer.parts);
  return divided?.map((parts) => parts.filter(isKeptPart)) ?? answer.parts.map((part) => [part]);
};

/** All events of a stream once more. */
export const replayStream = (writer: StreamWriter, settled: SettledAnswer, division: string | null): string =>
  piecesOf(settled, division)
    .map((parts) => writer.piece(parts))
    .join('') + writer.end(settled);
