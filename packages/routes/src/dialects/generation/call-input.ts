import { isRecord } from '@tollgate/contract';
import type { FunctionCallPart } from '@tollgate/provider';

const parsed = (text: string): unknown => {
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};

/** The arguments of a call for clients that want an object. What a model wrote instead stands in a member of it. */
export const callInput = ({ arguments: text }: Pick<FunctionCallPart, 'arguments'>): object => {
  const value = parsed(text);
  return isRecord(value) ? value : { invalid_arguments: text };
};
