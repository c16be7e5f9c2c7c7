/** Sockets that have brought no access yet, counted by address: strangers get so many and no more. */
export interface UnknownSockets {
  /** Whether one more may come; it counts until `leave`. */
  readonly enter: (address: string) => boolean;
  readonly leave: (address: string) => void;
}

export const createUnknownSockets = (limits: {
  readonly perAddressMax: number;
  readonly allMax: number;
}): UnknownSockets => {
  const byAddress = new Map<string, number>();
  let all = 0;
  return {
    enter: (address) => {
      const here = byAddress.get(address) ?? 0;
      if (all >= limits.allMax || here >= limits.perAddressMax) return false;
      all += 1;
      byAddress.set(address, here + 1);
      return true;
    },
    leave: (address) => {
      const here = byAddress.get(address) ?? 0;
      all -= 1;
      if (here <= 1) byAddress.delete(address);
      else byAddress.set(address, here - 1);
    },
  };
};
