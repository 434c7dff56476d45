import { createHmac } from 'node:crypto';
import { type Answer, send } from '../../support/client.ts';
import type { CompanyName } from '../../support/world.ts';
import { sourceId, sourceSecret } from '../../support/world-sources.ts';

/** Password that a person entered; tests search for it in the stored data. */
export const TYPED = 'correct-horse-battery-staple';

export interface DeliveryOptions {
  company?: CompanyName;
  /** Id of the source; by default the company's own GoPhish source. */
  id?: string;
  secret?: string;
  signature?: string;
  type?: string;
}

export const signatureOf = (body: string | Buffer, secret = sourceSecret('tenant', 'gophish')): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Sends a body as GoPhish does. */
export function deliverText(body: string | Buffer, options: DeliveryOptions = {}): Promise<Answer> {
  const { company = 'tenant', id = sourceId(company, 'gophish'), secret = sourceSecret(company, 'gophish') } = options;
  const headers = {
    'content-type': options.type ?? 'application/json',
    'x-gophish-signature': options.signature ?? signatureOf(body, secret),
  };
  return send('POST', `/sources/${id}/gophish`, { body, headers });
}

/** Builds an event, by default of campaign 7 and the tenant's first learner. */
export function event(message: string, fields: object = {}): object {
  const browser = { address: '198.51.100.7', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' };
  return {
    campaign_id: 7,
    email: 'learner1@tenant.test',
    time: '2026-05-04T09:30:00.123456789Z',
    message,
    details: JSON.stringify({ payload: { rid: ['Ab3dE5g'], password: [TYPED] }, browser }),
    ...fields,
  };
}

export const deliver = (sent: object, options?: DeliveryOptions): Promise<Answer> =>
  deliverText(JSON.stringify(sent), options);

/** Returns the external id of the simulation for a company's campaign 7. */
export const campaignOf = (company: CompanyName): string => `gophish-${sourceId(company, 'gophish')}-7`;

export const recorded = { outcome: 'recorded', code: null, message: null };
