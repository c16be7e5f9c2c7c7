import type { CallContext, JudgedCategory, Judgement, ModerationCall, Moderations } from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives, withoutDirectives } from './directives.ts';
import { addCounts, countPart, toldCounts, usageOf, type Counts } from './sandbox-usage.ts';

type Input = ModerationCall['inputs'][number];

/** The categories, each with the words by which the sandbox flags it, and whether images are judged by it. */
const categories: readonly {
  readonly name: string;
  readonly words: readonly string[];
  readonly images: boolean;
}[] = [
  { name: 'harassment', words: ['idiot'], images: false },
  { name: 'harassment/threatening', words: ['beware'], images: false },
  { name: 'hate', words: ['hate'], images: false },
  { name: 'hate/threatening', words: ['exterminate'], images: false },
  { name: 'illicit', words: ['steal'], images: false },
  { name: 'illicit/violent', words: ['bomb'], images: false },
  { name: 'self-harm', words: ['suicide'], images: true },
  { name: 'self-harm/intent', words: ['suicide'], images: true },
  { name: 'self-harm/instructions', words: [], images: true },
  { name: 'sexual', words: ['porn'], images: true },
  { name: 'sexual/minors', words: [], images: false },
  { name: 'violence', words: ['kill', 'attack', 'bomb'], images: true },
  { name: 'violence/graphic', words: ['gore'], images: true },
];

const flaggedScore = 0.9;
const clearScore = 0.001;

const textOf = (input: Input): string => input.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');

/** Judges by words alone, so that the same input always gets the same judgement. */
const judge = (input: Input): Judgement => {
  const words = new Set(
    withoutDirectives(textOf(input))
      .toLowerCase()
      .match(/[a-z]+/g),
  );
  const showsImage = input.some(({ kind }) => kind !== 'text');
  const judged = categories.map(({ name, words: flagging, images }): JudgedCategory => {
    const isFlagged = flagging.some((word) => words.has(word));
    const score = isFlagged ? flaggedScore : clearScore;
    return { name, isFlagged, score, appliedTo: images && showsImage ? ['text', 'image'] : ['text'] };
  });
  return { isFlagged: judged.some(({ isFlagged }) => isFlagged), categories: judged };
};

const measure = ({ inputs }: ModerationCall): Counts =>
  addCounts(new Map([['input_text_tokens', 0]]), inputs.flat().map(countPart));

/** Judges inputs as the directives in their texts say. */
export const runModeration = (
  world: SandboxWorld,
  call: ModerationCall,
  context: CallContext,
): Promise<Moderations> => {
  const directives = call.inputs.flatMap((input) => parseDirectives(textOf(input), 'embedding'));
  return conduct({ world, context, directives }, () => ({
    judgements: call.inputs.map(judge),
    usage: directives.some(({ kind }) => kind === 'unknown-usage')
      ? []
      : usageOf(toldCounts(directives, ['input_text_tokens']) ?? measure(call)),
  }));
};
