/** Types end where JavaScript begins: a status that is none would let in whoever it was meant to keep out. */
export const requireStatus = <S extends string>(known: readonly S[], status: S): void => {
  if (!known.includes(status)) throw new RangeError(`a status is one of ${known.join(', ')}`);
};
