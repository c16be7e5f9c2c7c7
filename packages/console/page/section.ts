import type { VNode } from 'preact';
import type { Place } from './router.ts';
import type { Visitor } from './visitor.ts';

/** What a view is given. */
export interface ViewProps {
  readonly place: Place;
  readonly visitor: Visitor;
}

/** A part of the console, as the menu offers it. */
export interface Section {
  /** The first part of its address. */
  readonly path: string;
  readonly name: string;
  readonly view: (props: ViewProps) => VNode;
  readonly isOffered: (visitor: Visitor) => boolean;
}

export const toAll = (): boolean => true;
export const toOperators = ({ role }: Visitor): boolean => role === 'operator';
/** Operators, and owners of a whole account. */
export const toAccounts = ({ role, account_id }: Visitor): boolean => role === 'operator' || account_id !== null;
