// Webhook for the operator's mail provider, which reports bounces of the messages of all companies.
//
// Every provider can send the user name and password of the webhook's URL with Basic authentication, so the password
// authenticates the call. Signatures would need a separate scheme and key for each provider, and would add nothing over
// TLS.
//
// Providers send a report again until they get a 2xx. A report about a message whose sending has not been recorded yet
// gets `service_unavailable`. A repeated report changes nothing, and neither does a report about an unknown message.
import { hash, timingSafeEqual } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { basicCredentials } from '../auth/basic-credentials.ts';
import type { BounceSettings } from '../config/bounce-settings.ts';
import { ApiError, invalidField } from '../contract/errors.ts';
import { readText } from '../http/body/body-text.ts';
import { JsonBounds } from '../http/body/json-bounds.ts';
import { refuseMethod, requireStarted } from '../http/guards.ts';
import type { Readiness } from '../http/readiness.ts';
import type { SharedServices } from '../http/shared-services.ts';
import { readProviderReports } from '../mail/bounces/provider-reports.ts';
import type { Logger } from '../observability/logger.ts';
import type { Fetch } from '../outbound/fetch.ts';
import { recordProviderBounce } from '../resources/mail-bounces/provider-bounces.ts';
import type { ReturnedMessages } from '../resources/mail-bounces/returned-messages.ts';
import { confirmSubscription, readSnsCall } from './sns-envelope.ts';

const PATH = '/bounce-webhook';
/** Maximum size of a request body, in bytes. SendGrid sends the largest ones, up to 768 KiB. */
const MAX_BYTES = 1024 * 1024;
const BOUNDS = { maxDepth: 12, maxNames: 200, maxItems: 5000, maxValues: 100_000 };
/** Delay in seconds after which a provider should send the report again. */
const RETRY_AFTER_S = '60';

export interface BounceWebhookOptions {
  readiness: Readiness;
  settings: BounceSettings;
  messages: ReturnedMessages;
  fetch: Fetch;
  logger: Logger;
}

export function bounceWebhookRoutes(
  options: BounceWebhookOptions,
  { countFailure }: Pick<SharedServices, 'countFailure'>,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const authenticate = authenticateProvider(options.settings.webhookSecrets, countFailure);
  router.post(PATH, requireStarted(options.readiness), authenticate, async (req, res) => {
    const text = await readText(req, MAX_BYTES);
    if (text === undefined) return;
    await take(parse(text), options);
    res.status(204).end();
  });
  router.all(PATH, refuseMethod('POST'));
  return router;
}

function authenticateProvider(
  secrets: readonly string[],
  countFailure: SharedServices['countFailure'],
): RequestHandler {
  return async (req, res, next) => {
    const password = basicCredentials(req.headers.authorization)?.password ?? '';
    if (secrets.some((secret) => isSame(secret, password))) return next();
    await countFailure(req, res);
    const message =
      'The credentials are missing or invalid; send BOUNCE_WEBHOOK_SECRET as the password of Basic authentication.';
    throw new ApiError('unauthorized', message, {
      headers: { 'WWW-Authenticate': 'Basic realm="bounce-webhook", charset="UTF-8"' },
    });
  };
}

function isSame(secret: string, received: string): boolean {
  return timingSafeEqual(hash('sha256', secret, 'buffer'), hash('sha256', received, 'buffer'));
}

function parse(text: string): unknown {
  new JsonBounds(BOUNDS).read(Buffer.from(text));
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'must be valid JSON');
  }
}

async function take(body: unknown, { settings, messages, fetch, logger }: BounceWebhookOptions): Promise<void> {
  const call = readSnsCall(body);
  if (call?.kind === 'confirmation') {
    const isConfirmed = await confirmSubscription(fetch, call.url);
    logger.info({ isConfirmed }, 'confirmation of the bounce webhook requested from SNS');
    if (!isConfirmed) throw tryAgain('The subscription could not be confirmed.');
    return;
  }
  if (call?.message === null) return;
  const reports = readProviderReports(call ? call.message : body);
  if (!reports) throw invalidField('body', 'must be a report of Amazon SES, SendGrid, Mailgun or Postmark');
  const recordings = new Map<string, number>();
  for (const report of reports) {
    const recording = await recordProviderBounce(messages, settings, report, new Date());
    recordings.set(recording, (recordings.get(recording) ?? 0) + 1);
  }
  logger.info(Object.fromEntries(recordings), 'bounces reported by the mail provider');
  if (recordings.has('sending')) throw tryAgain('A message that bounced is still being sent.');
}

function tryAgain(sentence: string): ApiError {
  return new ApiError('service_unavailable', `${sentence} Send the report again later.`, {
    headers: { 'Retry-After': RETRY_AFTER_S },
  });
}
