/** The first wait between two questions about an order; each further one is half longer. */
const firstWaitMs = 1_000;
const waitsMax = 12;
/** The name in the address under which the payment page returns the order. */
const orderParameter = 'order';

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** The order of the address, to which a payment page returned; null where it is none. */
export const orderOfAddress = (): string | null => new URL(location.href).searchParams.get(orderParameter);

/**
 * Asks until an order is credited; false where it is not after all waits. It asks for the order, and not for another balance: a call
 * that costs something would be taken for a purchase.
 */
export const followOrder = async (
  isCredited: (orderId: string) => Promise<boolean>,
  orderId: string,
): Promise<boolean> => {
  for (let tries = 0; tries < waitsMax; tries += 1) {
    if (await isCredited(orderId)) return true;
    await pause(firstWaitMs * 1.5 ** tries);
  }
  return false;
};
