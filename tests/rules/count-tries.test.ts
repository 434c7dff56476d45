import { countTries } from '../../src/resources/webhooks/delivery/webhook-poller.ts';
import type { WebhookResponse } from '../../src/resources/webhooks/sending/post-webhook.ts';

const answered = { retryAfter: undefined, text: '' };

test.each<[WebhookResponse, string]>([
  [{ ...answered, status: 204, failure: null }, 'delivered'],
  [{ ...answered, status: 500, failure: null }, 'not_taken'],
  [{ ...answered, status: 307, failure: null }, 'not_taken'],
  [{ ...answered, status: null, failure: 'timed_out' }, 'timed_out'],
])('an attempt is counted by its outcome: %j is %s', async (answer, outcome) => {
  const counted: string[] = [];
  const post = countTries(
    async () => answer,
    (one) => void counted.push(one),
  );
  expect(await post('https://soc.example.org/', {}, '{}')).toBe(answer);
  expect(counted).toEqual([outcome]);
});
