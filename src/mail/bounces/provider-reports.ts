// Reads the bounces that the webhooks of mail providers report: Amazon SES (directly or through SNS), SendGrid, Mailgun
// and Postmark. The format is recognised by its field names, which differ between providers.
//
// Each provider has its own message id, and most replace the Message-ID. A report therefore identifies the message by a
// part of the original that the provider has kept: the Message-ID, or the return token in the headers
// (bounce-token.ts).
//
// Delays, complaints and deliveries are not bounces.
import { type Bounce, type BounceClass, classifyBounce } from './bounce-rules.ts';

/** A bounce that a provider reports. */
export interface ProviderBounce {
  bounce: Bounce;
  /** The e-mail address that bounced, as the provider states it. */
  address: string;
  /** The Message-ID of the message, if the report has it. */
  messageId: string | undefined;
  /** The whole report as text, which might contain the return token. */
  text: string;
  /** Undefined if the report has no readable time. */
  occurredAt: Date | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Reader = (report: Fields) => ProviderBounce[];

/** Reads the body of a webhook call; undefined if it has no known format. */
export function readProviderReports(body: unknown): ProviderBounce[] | undefined {
  if (Array.isArray(body)) return body.every(isSendGrid) ? body.flatMap(readSendGrid) : undefined;
  const report = toFields(body);
  const known = READERS.find(([isKnown]) => isKnown(report));
  return known?.[1](report);
}

const READERS: readonly (readonly [(report: Fields) => boolean, Reader])[] = [
  [({ bounce, notificationType, eventType }) => bounce !== undefined || isText(notificationType ?? eventType), readSes],
  [(report) => report['event-data'] !== undefined, (report) => readMailgun(toFields(report['event-data']))],
  [({ RecordType }) => isText(RecordType), readPostmark],
];

function readSes(report: Fields): ProviderBounce[] {
  if ((report.notificationType ?? report.eventType) !== 'Bounce') return [];
  const [bounce, mail] = [toFields(report.bounce), toFields(report.mail)];
  const headers = toList(mail.headers).map(toFields);
  const messageId = headers.find(({ name }) => toText(name).toLowerCase() === 'message-id')?.value;
  const text = JSON.stringify(headers);
  const given = SES_CLASSES[toText(bounce.bounceType)] ?? 'blocked';
  return toList(bounce.bouncedRecipients)
    .map(toFields)
    .map(({ emailAddress, status, diagnosticCode }) => ({
      bounce: classify(given, toText(status), toText(diagnosticCode)),
      address: toText(emailAddress),
      messageId: toText(messageId) || undefined,
      text,
      occurredAt: toDate(bounce.timestamp),
    }));
}

const SES_CLASSES: Readonly<Record<string, BounceClass>> = { Permanent: 'hard', Transient: 'soft' };

function isSendGrid(event: unknown): boolean {
  const { event: kind, email } = toFields(event);
  return isText(kind) && isText(email);
}

function readSendGrid(report: unknown): ProviderBounce[] {
  const event = toFields(report);
  const { event: kind, type, reason, status, email, timestamp } = event;
  // SendGrid drops a message without contacting the server if the address has bounced before or is invalid.
  const isSuppressed = kind === 'dropped' && /bounced|invalid/i.test(toText(reason));
  if (kind !== 'bounce' && !isSuppressed) return [];
  return [
    {
      bounce: classify(type === 'blocked' ? 'blocked' : 'hard', toText(status), toText(reason)),
      address: toText(email),
      messageId: toText(event['smtp-id']) || undefined,
      text: JSON.stringify(report),
      occurredAt: toDate(timestamp),
    },
  ];
}

function readMailgun(event: Fields): ProviderBounce[] {
  const isLastTry = event.severity === 'permanent' || event.reason === 'old';
  if (event.event !== 'failed' || !isLastTry) return [];
  const [status, message] = [toFields(event['delivery-status']), toFields(event.message)];
  const words = `${toText(status.message)} ${toText(status.description)}`;
  return [
    {
      bounce: classify(event.reason === 'old' ? 'soft' : 'hard', toText(status['enhanced-code']), words),
      address: toText(event.recipient),
      messageId: toText(toFields(message.headers)['message-id']) || undefined,
      text: JSON.stringify(event),
      occurredAt: toDate(event.timestamp),
    },
  ];
}

function readPostmark(report: Fields): ProviderBounce[] {
  const given = POSTMARK_CLASSES[toText(report.Type)];
  if (report.RecordType !== 'Bounce' || given === undefined) return [];
  return [
    {
      bounce: classify(given, '', toText(report.Details)),
      address: toText(report.Email),
      messageId: undefined,
      text: toText(report.Content),
      occurredAt: toDate(report.BouncedAt),
    },
  ];
}

/** Classes of Postmark's bounce types. The types that are missing here are delays, replies and complaints. */
const POSTMARK_CLASSES: Readonly<Record<string, BounceClass>> = {
  HardBounce: 'hard',
  BadEmailAddress: 'hard',
  ManuallyDeactivated: 'hard',
  SoftBounce: 'soft',
  DnsError: 'soft',
  Blocked: 'blocked',
  SpamNotification: 'blocked',
  DMARCPolicy: 'blocked',
};

/** Classifies by the mail server's response or, if that is inconclusive, by the provider's class. */
function classify(given: BounceClass, status: string, words: string): Bounce {
  const bounce = classifyBounce({ status, words });
  return bounce.reason === 'other' ? { ...bounce, class: given } : bounce;
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function toText(value: unknown): string {
  return isText(value) ? value : '';
}

/** Reads a time: a date string, or seconds since 1970. */
function toDate(value: unknown): Date | undefined {
  const date = typeof value === 'number' ? new Date(value * 1000) : new Date(toText(value));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
