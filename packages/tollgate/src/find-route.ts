import type { ModelRoute } from '@tollgate/engine';
import type { Models } from '@tollgate/routes';

/** Who carries out what is asked of a model now, or null where none does. */
export const findRoute = (models: Models, id: string): ModelRoute | null => {
  const model = models.find(id);
  const provider = model === null ? null : models.providerOf(model);
  return model === null || provider === null ? null : { provider, upstreamModel: model.upstreamId };
};
