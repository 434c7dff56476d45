import { bounceSettings } from '../../src/config/bounce-settings.ts';
import { createBounceToken } from '../../src/mail/bounces/bounce-token.ts';
import { SECRETS_KEY } from './world-sources.ts';

const TIME = '2026-11-20T10:00:00.000Z';

/** A message as a provider knows it. */
export interface Sent {
  messageId: string;
  address: string;
}

const settings = bounceSettings({ BOUNCE_ADDRESS: 'bounces@mail.test' }, [Buffer.from(SECRETS_KEY, 'base64')])!;
const tokenOf = ({ messageId, address }: Sent) => createBounceToken(settings, messageId, address);

/** Builds the report of SES about a hard bounce; `named` are the original headers that it has kept. */
export function sesReport(sent: Sent, bounce: object = {}, named: 'token' | 'message id' | 'nothing' = 'token') {
  const headers = {
    token: [{ name: 'X-Return-Token', value: tokenOf(sent) }],
    'message id': [{ name: 'Message-ID', value: `<${sent.messageId}@mail.test>` }],
    nothing: undefined,
  };
  return {
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        { emailAddress: sent.address, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' },
      ],
      timestamp: TIME,
      ...bounce,
    },
    mail: { messageId: '0100-aa-000000', destination: [sent.address], headers: headers[named] },
  };
}

/** Wraps a report as SNS does. */
export const bySns = (message: unknown) => ({
  Type: 'Notification',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:bounces',
  Message: typeof message === 'string' ? message : JSON.stringify(message),
});

export const sendGridEvent = ({ messageId, address }: Sent, fields: object = {}) => ({
  email: address,
  timestamp: Date.parse(TIME) / 1000,
  event: 'bounce',
  type: 'bounce',
  reason: '550 5.1.1 The email account does not exist',
  status: '5.1.1',
  'smtp-id': `<${messageId}@mail.test>`,
  ...fields,
});

export const mailgunReport = ({ messageId, address }: Sent, fields: object = {}) => ({
  signature: { timestamp: '1', token: 't', signature: 's' },
  'event-data': {
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    recipient: address,
    timestamp: Date.parse(TIME) / 1000 + 0.25,
    'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: '5.1.1 user unknown' },
    message: { headers: { 'message-id': `${messageId}@mail.test` } },
    ...fields,
  },
});

export const postmarkReport = (sent: Sent, fields: object = {}) => ({
  RecordType: 'Bounce',
  Type: 'HardBounce',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  Email: sent.address,
  Details: 'smtp;550 5.1.1 user unknown',
  BouncedAt: '2026-11-20T10:00:00.1234567Z',
  Content: `Return-Path: <>\r\n\r\nX-Return-Token: ${tokenOf(sent)}\r\n`,
  ...fields,
});
