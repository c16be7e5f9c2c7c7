// #region verify
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a delivery is genuine. `body` is the raw body; `nowSeconds` is the clock of the receiver. */
export const isGenuine = (
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
  nowSeconds: number,
): boolean => {
  const eventId = headers['x-service-event-id'] ?? '';
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!/^[1-9][0-9]{0,15}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > 300) return false;
  const signed = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body]);
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(signed).digest('hex')}`);
  // While a secret is being rotated there are two signatures, separated by a comma.
  const matches = (headers['x-service-signature'] ?? '')
    .split(',', 4)
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  if (!matches) return false;
  try {
    const event: unknown = JSON.parse(body.toString());
    return typeof event === 'object' && event !== null && 'id' in event && event.id === eventId;
  } catch {
    return false;
  }
};
// #endregion verify
