import type { LiveModel } from '@tollgate/live';
import { liveKindOf, type Models } from '@tollgate/routes';

/** Who holds the sessions of a model now, or null where none does. */
export const findLiveModel = (models: Models, id: string): LiveModel | null => {
  const model = models.find(id);
  const provider = model === null ? null : models.providerOf(model);
  return model === null || provider === null
    ? null
    : { provider, upstreamModel: model.upstreamId, kind: liveKindOf(model) };
};
