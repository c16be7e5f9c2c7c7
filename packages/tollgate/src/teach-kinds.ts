import {
  batchKind,
  cacheKind,
  documentKind,
  environmentKind,
  interactionKind,
  storeKind,
  videoKind,
} from '@tollgate/engine';
import { batchAnswers, contentPath, type Service } from '@tollgate/routes';
import { pdfText } from '@tollgate/tools';
import { findMaker } from './find-maker.ts';
import type { GatewayOptions } from './gateway-options.ts';

/** Teaches the workshop of a gateway every kind of work that its routes leave to it. */
export const teachKinds = (
  service: Service,
  { batches, indexing = {} }: Pick<GatewayOptions, 'batches' | 'indexing'>,
): void => {
  const { engine, models } = service;
  const { limits = {}, readPdf = pdfText() } = indexing;
  engine.workshop.add(storeKind({ engine, findProvider: (model) => findMaker(models, model)?.provider ?? null }));
  engine.workshop.add(documentKind({ engine, findEmbedder: (model) => findMaker(models, model), readPdf, limits }));
  engine.workshop.add(cacheKind({ engine, findMaker: (model) => findMaker(models, model) }));
  engine.workshop.add(
    batchKind({ engine, findMaker: (model) => findMaker(models, model), answers: batchAnswers, ...batches }),
  );
  engine.workshop.add(environmentKind(engine));
  engine.workshop.add(
    interactionKind({
      ...service.interactions,
      engine,
      findModel: (id) => {
        const row = service.models.find(id);
        const provider = row === null ? null : service.models.providerOf(row);
        return row === null || provider === null ? null : { row, provider };
      },
      contentUrl: (id, index) => contentPath(service, 'interaction', id, index),
    }),
  );
  engine.workshop.add(
    videoKind({
      engine,
      findMaker: (model) => findMaker(models, model),
      contentUrl: (id, index) => contentPath(service, 'video', id, index),
    }),
  );
};
