import { creditsFromMicros, type Administration } from '@tollgate/engine';

type Wallet = NonNullable<Awaited<ReturnType<Administration['readWallet']>>>;

/** A wallet with what new operations may reserve of it. */
export const withAvailable = (wallet: Wallet): Wallet & { readonly availableMicros: bigint } => ({
  ...wallet,
  availableMicros: wallet.balanceMicros - wallet.reservedMicros,
});

export const walletLine = (wallet: Wallet): string => {
  const { balanceMicros, reservedMicros, availableMicros } = withAvailable(wallet);
  const [balance, reserved, available] = [balanceMicros, reservedMicros, availableMicros].map(creditsFromMicros);
  return `balance ${balance}, reserved ${reserved}, available ${available}`;
};
