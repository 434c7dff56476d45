import type { BounceSettings } from '../../config/bounce-settings.ts';
import { findTokens, isSignedFor } from '../../mail/bounces/bounce-token.ts';
import type { ProviderBounce } from '../../mail/bounces/provider-reports.ts';
import { isSameAddress } from '../../mail/same-address.ts';
import { isPlausiblePast } from '../learners/shared/fact-times.ts';
import { readMessageId } from './bounced-message.ts';
import type { Recording, ReturnedMessage, ReturnedMessages } from './returned-messages.ts';

/**
 * Records a bounce that a provider reports. The bounce counts if its return token is signed for the learner's current
 * address, or if the report names both the message and that address.
 */
export async function recordProviderBounce(
  messages: ReturnedMessages,
  settings: Pick<BounceSettings, 'keys'>,
  reported: ProviderBounce,
  now: Date,
): Promise<Recording> {
  const { bounce, address, text } = reported;
  const isPlausible = reported.occurredAt !== undefined && isPlausiblePast(reported.occurredAt, now);
  const common = { bounce, source: 'provider', occurredAt: isPlausible ? reported.occurredAt! : now } as const;
  const named = readMessageId(reported.messageId);
  const isAddress = (email: string) => isSameAddress(email, address);
  const returned: ReturnedMessage[] = [
    ...(named === undefined ? [] : [{ ...common, messageId: named, isSentTo: isAddress }]),
    ...findTokens(text).map((token) => {
      return {
        ...common,
        messageId: token.messageId,
        isSentTo: (email: string) => isSignedFor(settings, token, email),
      };
    }),
  ];
  for (const message of returned) {
    const recording = await messages.record(message);
    if (recording !== 'unknown') return recording;
  }
  return 'unknown';
}
