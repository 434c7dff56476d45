import { invalidField } from '../contract/errors.ts';
import type { Fetch } from '../outbound/fetch.ts';

/** A call from Amazon SNS: a notification with its message, or a request to confirm a subscription. */
export type SnsCall = { kind: 'notification'; message: unknown } | { kind: 'confirmation'; url: string };

/** SNS hosts, in all regions. */
const HOSTS = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;

/**
 * Reads a call from SNS; undefined if the body is not from SNS. The message is null if it is plain text instead of
 * JSON, as after the topic is connected.
 * @throws {ApiError} if the URL of a confirmation does not belong to SNS
 */
export function readSnsCall(body: unknown): SnsCall | undefined {
  const { Type, Message, SubscribeURL, TopicArn } = (body ?? {}) as Record<string, unknown>;
  if (typeof TopicArn !== 'string') return undefined;
  if (Type === 'SubscriptionConfirmation' && typeof SubscribeURL === 'string') {
    if (!isOfSns(SubscribeURL)) throw invalidField('body/SubscribeURL', 'must be an https URL of Amazon SNS');
    return { kind: 'confirmation', url: SubscribeURL };
  }
  return { kind: 'notification', message: parse(Message) };
}

/** Confirms a subscription. Returns whether SNS accepted the confirmation. */
export async function confirmSubscription(fetch: Fetch, url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url);
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

function isOfSns(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return url.port === '' && HOSTS.test(url.hostname);
}

function parse(message: unknown): unknown {
  try {
    return JSON.parse(String(message));
  } catch {
    return null;
  }
}
