import { batchKind, environmentKind, interactionKind, videoKind } from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import { batchAnswers, contentPath, type Service } from '@tollgate/routes';
import type { GatewayOptions } from './gateway-options.ts';

interface Maker {
  readonly provider: Provider;
  readonly upstreamModel: string;
}

/** Who carries out what is asked of a model now. */
const findMaker = ({ models }: Service, id: string): Maker | null => {
  const model = models.find(id);
  const provider = model === null ? null : models.providerOf(model);
  return model === null || provider === null ? null : { provider, upstreamModel: model.upstreamId };
};

/** Teaches the workshop of a gateway every kind of work that its routes leave to it. */
export const teachKinds = (service: Service, { batches }: Pick<GatewayOptions, 'batches'>): void => {
  const { engine } = service;
  engine.workshop.add(
    batchKind({ engine, findMaker: (model) => findMaker(service, model), answers: batchAnswers, ...batches }),
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
      findMaker: (model) => findMaker(service, model),
      contentUrl: (id, index) => contentPath(service, 'video', id, index),
    }),
  );
};
