import type { Metrics } from '../observability/metrics/metrics.ts';
import type { PostWebhook } from '../resources/webhooks/sending/post-webhook.ts';
import { judgeAnswer } from '../resources/webhooks/sending/retry-rules.ts';

/** The same sender; each try is counted by what became of it. */
export function countTries(post: PostWebhook, { webhookTry }: Pick<Metrics, 'webhookTry'>): PostWebhook {
  return async (url, headers, body) => {
    const answer = await post(url, headers, body);
    webhookTry(answer.failure ?? (judgeAnswer(answer).taken ? 'delivered' : 'not_taken'));
    return answer;
  };
}
