import type { Provider } from '@tollgate/provider';
import type { Models } from '@tollgate/routes';

/** Who carries out what is asked of a model. */
export interface Maker {
  readonly provider: Provider;
  readonly upstreamModel: string;
}

/** Who carries out what is asked of a model now, or null where none does. */
export const findMaker = (models: Models, id: string): Maker | null => {
  const model = models.find(id);
  const provider = model === null ? null : models.providerOf(model);
  return model === null || provider === null ? null : { provider, upstreamModel: model.upstreamId };
};
