import { isRecord } from '@tollgate/contract';
import type { ResourceRecord } from '@tollgate/storage';
import { publicFieldsOf } from '../decisions/stored-values.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the record of a resource says in another form than the contract's, where it was asked for in that form: the name of the
 * form, and what the form repeats of the request. The engine keeps it, unread; at most a few kilobytes of JSON, and no content.
 */
export interface ResourceWire {
  readonly name: string;
  readonly echo: Fields;
}

/** The member of the stored fields that holds it. No record of the contract has a member of this name. */
const member = 'wire';

/** Fields of a new resource with the form in which it was asked for. */
export const withWire = (fields: Fields, wire: ResourceWire | undefined): Fields =>
  wire === undefined ? fields : { ...fields, [member]: wire };

type Stored = Pick<ResourceRecord, 'publicFields'>;

/** The form in which a resource was asked for; null for the contract's. */
export const wireOf = (resource: Stored): ResourceWire | null => {
  const wire = publicFieldsOf(resource)[member];
  if (!isRecord(wire) || typeof wire['name'] !== 'string') return null;
  const { name, echo } = wire;
  return { name, echo: isRecord(echo) ? echo : {} };
};

/** What the record of the contract shows of a resource. */
export const shownFieldsOf = (resource: Stored): Fields => {
  const { [member]: _wire, ...shown } = publicFieldsOf(resource);
  return shown;
};
