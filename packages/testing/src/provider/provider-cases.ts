import assert from 'node:assert/strict';
import type { ProviderCase } from './provider-case.ts';
import { answerCases } from './cases/answer-cases.ts';
import { batchCases, runBatch } from './cases/batch-cases.ts';
import { cacheCases, runCache } from './cases/cache-cases.ts';
import { conductCases, type ConductScenario } from './cases/conduct-cases.ts';
import { countCases } from './cases/count-cases.ts';
import { embedCases } from './cases/embed-cases.ts';
import { fileCases } from './cases/file-cases.ts';
import { streamCases } from './cases/stream-cases.ts';
import { interactionCases, runInteraction } from './cases/interaction-cases.ts';
import { runVideo, videoCases } from './cases/video-cases.ts';
import { runEmbed, runScenario } from './provider-run.ts';
import { runStream } from './stream-run.ts';

const generating = { prefix: '', needs: ['generate'] } as const;
const streaming = { prefix: 'as a stream: ', needs: ['generateStream'] } as const;
const embedding = { prefix: 'embedding: ', needs: ['embed'] } as const;

const answeredAs = <Answer>(scenario: ConductScenario, answer: Answer): Exclude<ConductScenario, 'answered'> | Answer =>
  scenario === 'answered' ? answer : scenario;

const closingCase: ProviderCase = {
  title: 'has a name and closes more than once',
  promise: 'P1',
  needs: [],
  run: async ({ provider }) => {
    assert.ok(typeof provider.name === 'string' && provider.name !== '');
    await provider.close?.();
    await provider.close?.();
  },
};

/** The rules of a provider. */
export const providerCases: readonly ProviderCase[] = [
  ...answerCases({ ...generating, run: runScenario }),
  ...conductCases({
    ...generating,
    run: (underTest, scenario, watching) => runScenario(underTest, answeredAs(scenario, 'text'), watching),
  }),
  ...answerCases({ ...streaming, run: runStream }),
  ...conductCases({
    ...streaming,
    run: (underTest, scenario, watching) => runStream(underTest, answeredAs(scenario, 'text'), watching),
  }),
  ...streamCases,
  ...embedCases,
  ...conductCases({
    ...embedding,
    run: (underTest, scenario, watching) => runEmbed(underTest, answeredAs(scenario, 'vectors'), watching),
  }),
  ...countCases,
  ...fileCases,
  ...interactionCases,
  ...conductCases({
    prefix: 'interaction: ',
    needs: ['interactions'],
    run: (underTest, scenario, watching) => runInteraction(underTest, answeredAs(scenario, 'done'), watching),
  }),
  ...videoCases,
  ...conductCases({
    prefix: 'video: ',
    needs: ['videos'],
    run: (underTest, scenario, watching) => runVideo(underTest, answeredAs(scenario, 'done'), watching),
  }),
  ...batchCases,
  ...conductCases({
    prefix: 'batch: ',
    needs: ['batches'],
    run: (underTest, scenario, watching) => runBatch(underTest, answeredAs(scenario, 'done'), watching),
  }),
  ...cacheCases,
  ...conductCases({
    prefix: 'cache: ',
    needs: ['caches'],
    run: (underTest, scenario, watching) => runCache(underTest, answeredAs(scenario, 'done'), watching),
  }),
  closingCase,
];
