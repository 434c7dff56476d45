import { randomBytes } from 'node:crypto';
import { decodeBase64 } from '../../src/limits/decode-base64.ts';
import { bestHoldsMs, longestHoldMs } from '../support/loop-holds.ts';

const mail = randomBytes(20 * 1024 * 1024 + 1);

test.each([
  ['in one line', mail.toString('base64')],
  ['in lines', mail.toString('base64').replace(/.{76}/g, '$&\r\n')],
  ['for addresses, without padding', mail.toString('base64url')],
])('an email of 20 MiB in base64 %s is decoded, from text and from bytes', async (_case, encoded) => {
  for (const given of [encoded, Buffer.from(encoded)]) expect(mail.equals(await decodeBase64(given))).toBe(true);
});

test('decoding an email of 20 MiB does not hold the event loop', async () => {
  const encoded = Buffer.from(mail.toString('base64').replace(/.{76}/g, '$&\r\n'));
  const { decode } = await bestHoldsMs(50, async () => ({ decode: await longestHoldMs(() => decodeBase64(encoded)) }));
  expect(decode).toBeLessThan(50);
});
