import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { newSecret, signedHeaders } from '../../src/resources/webhooks/sending/signing.ts';

const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('the example of Standard Webhooks gets its documented signature', () => {
  expect(signedHeaders([secret], message)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('two secrets create two signatures, each valid', () => {
  const { 'webhook-signature': both } = signedHeaders([newSecret(), secret], message);
  expect(both!.split(' ')).toHaveLength(2);
  expect(both!.split(' ')[1]).toBe(signature);
});

test('a secret has 32 random bytes in the format of the standard', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(newSecret());
});

test("the standard's library accepts the signature and rejects a changed body, id, time or secret", () => {
  const [own, body] = [newSecret(), '{"type":"learner.created","name":"größe"}'];
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signedHeaders([newSecret(), own], { id: 'one', timestamp, body });
  const verify = (changes: object = {}, bytes = body) => new Webhook(own).verify(bytes, { ...headers, ...changes });
  expect(verify()).toEqual(JSON.parse(body));
  expect(() => verify({}, body.replace('{', '{ '))).toThrow(WebhookVerificationError);
  expect(() => verify({ 'webhook-id': 'two' })).toThrow(WebhookVerificationError);
  expect(() => verify({ 'webhook-timestamp': String(timestamp + 1) })).toThrow(WebhookVerificationError);
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow(WebhookVerificationError);
});
