import type { CatalogModel } from '@tollgate/contract';
import {
  type Access,
  countInput,
  estimateBeside,
  estimateGeneration,
  estimateOutput,
  type OperationPlan,
  type Quantities,
} from '@tollgate/engine';
import type { Generation, GenerationCall } from '@tollgate/provider';
import type { Service } from './service.ts';

type Call = Omit<GenerationCall, 'operationId'>;
type Estimate = OperationPlan<Generation>['estimate'];

/** Who asks for which model. */
interface Asked {
  readonly access: Access;
  readonly model: CatalogModel;
}

const carriesMedia = ({ contents }: Call): boolean =>
  contents.some(({ parts }) => parts.some(({ kind }) => kind === 'media' || kind === 'blob'));

const isCounted = ({ countInput: when }: Service, call: Call): boolean =>
  when === 'always' || (when === 'media' && carriesMedia(call));

/** The input of a call as its provider counts it, or null where it is not asked or does not answer. */
export const countedInput = (
  service: Service,
  { access, model }: Asked,
  call: Call,
): null | Promise<Quantities | null> => {
  const provider = service.models.providerOf(model);
  return provider === null || !isCounted(service, call) ? null : countInput(service.engine, provider, call, access);
};

const estimateOf = (call: Call, model: CatalogModel, counted: Quantities | null): Estimate =>
  counted === null
    ? estimateGeneration(call, model)
    : [...counted, ...estimateOutput(call, model), ...estimateBeside(call, model, counted)];

// G42
/**
 * What a call reserves for: its input as the provider counts it where that is worth the question, else from a bound. Of a call
 * that is not whole, some parts are yet to be fetched, and cannot be counted.
 */
export const estimateCall = (
  service: Service,
  asked: Asked,
  call: Call,
  isWhole = true,
): Estimate | Promise<Estimate> => {
  const counting = isWhole ? countedInput(service, asked, call) : null;
  const estimated = (counted: Quantities | null): Estimate => estimateOf(call, asked.model, counted);
  return counting === null ? estimated(null) : counting.then(estimated);
};
