import { videoKind, type VideoMaker } from '@tollgate/engine';
import { contentPath, type Service } from '@tollgate/routes';

/** Who makes the videos of a model now. */
const videoMaker = ({ models }: Service, id: string): VideoMaker | null => {
  const model = models.find(id);
  const provider = model === null ? null : models.providerOf(model);
  return model === null || provider === null ? null : { provider, upstreamModel: model.upstreamId };
};

/** Teaches the workshop of a gateway every kind of work that its routes leave to it. */
export const teachKinds = (service: Service): void => {
  const { engine } = service;
  engine.workshop.add(
    videoKind({
      engine,
      findMaker: (model) => videoMaker(service, model),
      contentUrl: (id, index) => contentPath(service, 'video', id, index),
    }),
  );
};
