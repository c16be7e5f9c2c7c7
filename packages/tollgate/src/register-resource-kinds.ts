import {
  batchKind,
  cacheKind,
  documentKind,
  environmentKind,
  interactionKind,
  storeKind,
  videoKind,
  type WorkKind,
} from '@tollgate/engine';
import { contentPath, createBatchAnswers, type Service } from '@tollgate/routes';
import { pdfText } from '@tollgate/pdf';
import { findRoute } from './find-route.ts';
import type { GatewayOptions } from './gateway-options.ts';

/** What the kinds of a gateway are made of. */
export type KindParts = Pick<
  Service,
  'engine' | 'models' | 'basePath' | 'interactions' | 'contextSeal' | 'finishReasonWithTools' | 'dialects'
>;

/** Every resource type that the routes of a gateway create and its workers run. */
export const registerResourceKinds = (
  parts: KindParts,
  { batches, indexing = {} }: Pick<GatewayOptions, 'batches' | 'indexing'>,
): readonly WorkKind[] => {
  const { engine, models } = parts;
  const { limits = {}, readPdf = pdfText() } = indexing;
  return [
    storeKind({ engine, findProvider: (model) => findRoute(models, model)?.provider ?? null }),
    documentKind({ engine, findEmbedder: (model) => findRoute(models, model), readPdf, limits }),
    cacheKind({ engine, findRoute: (model) => findRoute(models, model) }),
    batchKind({
      engine,
      findRoute: (model) => findRoute(models, model),
      answers: createBatchAnswers(parts),
      ...batches,
    }),
    environmentKind(engine),
    interactionKind({
      ...parts.interactions,
      engine,
      findModel: (id) => {
        const row = models.find(id);
        const provider = row === null ? null : models.providerOf(row);
        return row === null || provider === null ? null : { row, provider };
      },
      contentUrl: (id, index) => contentPath(parts, 'interaction', id, index),
    }),
    videoKind({
      engine,
      findRoute: (model) => findRoute(models, model),
      contentUrl: (id, index) => contentPath(parts, 'video', id, index),
    }),
  ];
};
