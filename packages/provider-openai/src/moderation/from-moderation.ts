import {
  asArray,
  asCount,
  asObject,
  UnknownOutcome,
  withUsageAtLeast,
  type JudgedCategory,
  type Judgement,
  type JsonObject,
  type Moderations,
  type Usage,
} from '@tollgate/provider';

type AppliedTo = JudgedCategory['appliedTo'];

const readAppliedTo = (value: unknown): AppliedTo =>
  asArray(value).filter((kind): kind is AppliedTo[number] => kind === 'text' || kind === 'image');

const isScore = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** A category without a judgement is one that the model does not know: older models give null. */
const readCategories = (result: JsonObject): readonly JudgedCategory[] => {
  const scores = asObject(result['category_scores']);
  const applied = asObject(result['category_applied_input_types']);
  return Object.entries(asObject(result['categories']) ?? {}).flatMap(([name, isFlagged]) => {
    if (typeof isFlagged !== 'boolean') return [];
    const score = scores?.[name];
    // Models that say nothing of kinds read texts only.
    const appliedTo = applied === undefined ? (['text'] as const) : readAppliedTo(applied[name]);
    return [{ name, isFlagged, score: isScore(score) ? score : Number(isFlagged), appliedTo }];
  });
};

const readJudgement = (value: unknown): Judgement => {
  const result = asObject(value);
  const categories = result === undefined ? [] : readCategories(result);
  if (categories.length === 0) throw new UnknownOutcome('unreadable_answer');
  const flagged = result?.['flagged'];
  return {
    isFlagged: typeof flagged === 'boolean' ? flagged : categories.some(({ isFlagged }) => isFlagged),
    categories,
  };
};

/** What a server counts that counts moderations; OpenAI does not. */
export const readModerationUsage = (body: unknown): readonly Usage[] | undefined => {
  const usage = asObject(asObject(body)?.['usage']);
  const quantity = asCount(usage?.['prompt_tokens']) ?? asCount(usage?.['input_tokens']);
  return quantity === undefined ? undefined : [{ unit: 'input_text_tokens', quantity, confirmed: true }];
};

/**
 * Reads the body of a 2xx answer: a judgement for each of `inputs`, in their order. Throws only `UnknownOutcome`, where one is
 * missing or cannot be read.
 */
export const fromModeration = (body: unknown, inputs: number, usage: readonly Usage[]): Moderations => {
  try {
    const judgements = asArray(asObject(body)?.['results']).map(readJudgement);
    if (judgements.length !== inputs) throw new UnknownOutcome('unreadable_answer');
    return { judgements, usage };
  } catch (failure) {
    throw withUsageAtLeast(failure, usage);
  }
};
