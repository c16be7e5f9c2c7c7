import type { Provider } from '@tollgate/provider';
import { readLeafTag, writeLeafTag } from './leaf-tag.ts';
import { isLeaf, leavesOf } from './leaves.ts';

/** Who has what a tag stands for. */
export interface Held {
  readonly holder: Provider;
  /** What the holder knows it by. */
  readonly text: string;
}

/** Whether a provider ends at the one that wrote a tag. A text that is no tag was written by no member. */
export const leadsTo = (member: Provider, tagged: string): boolean => {
  const leaf = readLeafTag(tagged)?.leaf;
  return leavesOf(member).some(({ name }) => name === leaf);
};

/** The member that has it; null where none does. */
export const findHolder = (members: readonly Provider[], tagged: string): Held | null => {
  const holder = members.find((member) => leadsTo(member, tagged));
  if (holder === undefined) return null;
  return { holder, text: isLeaf(holder) ? (readLeafTag(tagged)?.text ?? tagged) : tagged };
};

/** A note with the name of its writer, unless that is a combinator, which has written it already. */
export const tagFor = (member: Provider, reference: string): string =>
  isLeaf(member) ? writeLeafTag(member.name, reference) : reference;

/** What is noted, as the provider that makes the upstream requests knows it; null where another one noted it. */
export const referenceFor = (reference: string | null, { name }: Provider): string | null => {
  const tag = reference === null ? null : readLeafTag(reference);
  return tag?.leaf === name ? tag.text : null;
};
