import { v7 as uuidv7 } from 'uuid';
import { type Answer, post } from '../../support/client.ts';
import { companies, MANAGED_CATALOGUE } from '../../support/world.ts';

/** What the operator lets simulations come from, for the docblock of a test: `SIMULATION_SENDERS`. */
export const SENDER = 'parcel-desk.test';

interface TemplateRow {
  ownerId?: string;
  deliveryMethod?: string;
  locales?: string[];
  isRetired?: boolean;
}

/** Stores a template, and returns its id. */
export async function makeTemplate({
  ownerId = MANAGED_CATALOGUE,
  deliveryMethod = 'email',
  locales = ['en', 'de'],
  isRetired = false,
}: TemplateRow = {}): Promise<string> {
  const id = uuidv7();
  await testService.query(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content, retired_at)
     values ($1, $2, 'Parcel on hold', $3, 2, $4, '{}', case when $5 then now() end)`,
    [ownerId, id, deliveryMethod, locales, isRetired],
  );
  return id;
}

export const ofTenant = { ownerId: companies.tenant };

/** A draft for everybody, on all days and at all hours of two weeks in a year that is far off. */
export const draftWith = (templateId: string, fields: object = {}) => ({
  name: 'Parcel notice, winter',
  templateIds: [templateId],
  recipients: { everyone: true },
  startDate: '2090-01-02T00:00:00Z',
  endDate: '2090-01-16T00:00:00Z',
  workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '17:00' },
  timeZone: 'Europe/Berlin',
  senderDomain: SENDER,
  ...fields,
});

/** Makes a draft, and returns its id. */
export async function makeDraft(fields: object = {}, templateId?: string): Promise<string> {
  const answer: Answer = await post('/simulations', draftWith(templateId ?? (await makeTemplate()), fields));
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
  return answer.body.data.id;
}

/** Removes what these tests make. */
export async function removeOwn(): Promise<void> {
  await testService.query('delete from simulations where is_own');
  await testService.query('delete from simulation_templates');
  await testService.query('delete from simulation_exclusions');
}
