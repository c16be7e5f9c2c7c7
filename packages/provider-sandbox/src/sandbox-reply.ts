import type {
  FinishReason,
  FunctionCallPart,
  Generation,
  GenerationCall,
  Part,
  ServiceTier,
  UsageUnit,
} from '@tollgate/provider';
import { citationsOf, groundingOf, searchOf, type Search } from './answer-search.ts';
import { imageOffers, speechOffer } from './answer-media.ts';
import { takeOffers, textOffer, cutText, type AnswerOffer, type TakenAnswer } from './answer-offer.ts';
import { thoughtOffers } from './answer-thoughts.ts';
import { callsOffer, codeOffers, proposeCalls, readUrls, urlAnnotations } from './answer-tools.ts';
import { withoutDirectives, type Directive } from './directives.ts';
import { finishDetails } from './ending.ts';
import { freeText, lastUserText } from './free-text.ts';
import { addCounts, countInput, toldCounts, usageOf, type Counts } from './sandbox-usage.ts';
import { modalitiesOf, readsAloud } from './upstream-model.ts';

/** A generation with the whole answer in order. */
export interface SandboxReply extends Generation {
  readonly parts: readonly Part[];
}

/** What every generation measures, used or not. */
const alwaysCounted: readonly UsageUnit[] = ['input_text_tokens', 'output_text_tokens'];

/** What the sandbox answers. Pure: the same call always gets the same answer. Throws `NotExecuted` for what it cannot do. */
export const sandboxReply = (call: GenerationCall, directives: readonly Directive[]): SandboxReply => {
  const ending = endingOf(directives);
  const { taken, annotations } =
    ending.finish === 'content_filter' ? { taken: nothing } : compose(call, directives, ending.finish === 'length');
  const { finish = taken.complete ? 'stop' : 'length', ...reasons } = ending;
  return {
    text: taken.parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join(''),
    functionCalls: taken.parts.filter((part): part is FunctionCallPart => part.kind === 'function_call'),
    parts: taken.parts,
    finish: taken.complete ? finish : 'length',
    ...reasons,
    usage: directives.some(({ kind }) => kind === 'unknown-usage')
      ? []
      : usageOf(measure(call, directives, taken.counts)),
    ...(annotations === undefined ? {} : { annotations }),
    servedTier: servedTierOf(call, directives),
  };
};

/** What it was served, of a call that asks; upstreams say it of the others as well, and nothing follows from it. */
const servedTierOf = ({ serviceTier }: GenerationCall, directives: readonly Directive[]): ServiceTier | undefined => {
  if (serviceTier === undefined) return undefined;
  const told = directives.find((directive) => directive.kind === 'tier');
  return told === undefined ? serviceTier : (told.served ?? undefined);
};

/** The input of a call as the reply to it reports it. */
export const countedInput = (call: GenerationCall, directives: readonly Directive[]): Counts =>
  toldCounts(directives, ['input_text_tokens']) ?? countInput(call);

const measure = (call: GenerationCall, directives: readonly Directive[], output: Counts): Counts =>
  toldCounts(directives, alwaysCounted) ?? addCounts(countInput(call), output);

const nothing: TakenAnswer = { parts: [], counts: new Map([['output_text_tokens', 0]]), complete: true };

interface Ending {
  readonly finish?: FinishReason;
  readonly finishDetail?: string;
  readonly promptBlock?: string;
}

/** How the response ends; the first directive that says so counts. */
const endingOf = (directives: readonly Directive[]): Ending => {
  for (const directive of directives) {
    if (directive.kind === 'length') return { finish: 'length' };
    if (directive.kind === 'filter') return { finish: 'content_filter' };
    if (directive.kind === 'block') return { finish: 'content_filter', promptBlock: directive.reason };
    if (directive.kind === 'finish') {
      return { finish: finishDetails.get(directive.reason) ?? 'stop', finishDetail: directive.reason };
    }
  }
  return {};
};

/** The answer that fits the output limit. */
const compose = (
  call: GenerationCall,
  directives: readonly Directive[],
  halved: boolean,
): Pick<Generation, 'annotations'> & { readonly taken: TakenAnswer } => {
  const thoughts = thoughtOffers(call);
  const calls = proposeCalls(call, directives);
  const text = calls.length > 0 ? '' : answerText(call, directives);
  const take = (offers: readonly AnswerOffer[]) => takeOffers([...thoughts, ...offers], call.outputTokensMax);
  if (halved) return { taken: take([textOffer(cutText(text, Math.floor(Buffer.byteLength(text) / 2)))]) };
  if (calls.length > 0) return { taken: take([callsOffer(calls)]) };
  const urls = readUrls(call, directives, lastUserText(call));
  const search = searchOf(call, withoutDirectives(lastUserText(call)));
  const shown = modalitiesOf(call);
  const taken = take([
    ...codeOffers(call, directives),
    ...(shown.has('text') ? [textOffer(text)] : []),
    ...(shown.has('image') ? imageOffers(call, withoutDirectives(lastUserText(call))) : []),
    ...(shown.has('audio') ? [speechOffer(call, text)] : []),
  ]);
  const fetched = urls === undefined ? taken : counting(taken, ['url_fetches', urls.length]);
  const said = taken.parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');
  if (search !== null) {
    const annotations = { ...urlAnnotations(urls ?? []), ...groundingOf(search, said) };
    return { taken: cited(counting(fetched, ['web_search_queries', 1]), search, said), annotations };
  }
  return urls === undefined ? { taken } : { taken: fetched, annotations: urlAnnotations(urls) };
};

const counting = (taken: TakenAnswer, used: readonly [UsageUnit, number]): TakenAnswer => ({
  ...taken,
  counts: addCounts(taken.counts, [used]),
});

/** The visible text of an answer comes as one part. */
const cited = (taken: TakenAnswer, search: Search, said: string): TakenAnswer => {
  const annotations = citationsOf(search, said);
  if (annotations.length === 0) return taken;
  const parts = taken.parts.map((part) =>
    part.kind === 'text' && part.thought !== true ? { ...part, annotations } : part,
  );
  return { ...taken, parts };
};

/** What is reported, or what a speech model is given to read, or what the sandbox says of its own. */
const answerText = (call: GenerationCall, directives: readonly Directive[]): string => {
  const told = directives.find((directive) => directive.kind === 'echo' || directive.kind === 'json');
  if (told !== undefined) return told.text;
  const prompt = withoutDirectives(lastUserText(call));
  if (readsAloud(call) && prompt !== '') return prompt;
  const stream = directives.find((directive) => directive.kind === 'stream');
  return freeText(call, stream?.pieces ?? 0);
};
