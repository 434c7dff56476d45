import { v7 as uuidv7 } from 'uuid';
import { TEMPLATE_WORDS } from '../../../support/world-simulations.ts';
import { MANAGED_CATALOGUE } from '../../../support/world.ts';

export const ENGLISH = { locale: 'en', ...TEMPLATE_WORDS };

/** Builds the request body of a template. */
export const draftOf = (fields: object = {}) => ({
  ...{ name: 'Parcel', deliveryMethod: 'email', difficulty: 3, content: [ENGLISH] },
  ...fields,
});

/** Stores a managed template in these languages and returns its id. */
export async function makeManaged(locales: string[] = ['en', 'de'], words: object = {}): Promise<string> {
  const id = uuidv7();
  const content = Object.fromEntries(
    locales.map((locale) => [locale, { ...TEMPLATE_WORDS, lesson: locale, ...words }]),
  );
  await testService.query(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
     values ($1, $2, 'Managed', 'qr_code', 4, $3, $4)`,
    [MANAGED_CATALOGUE, id, locales, content],
  );
  return id;
}

/** Stores a simulation of the tenant that names a template. */
export async function nameIt(templateId: string, status: string): Promise<void> {
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, is_own, plan)
     select custom_of, $2, 'Own', $3, 'email', now(), true, jsonb_build_object('templateIds', jsonb_build_array($1::text))
       from simulation_templates where id = $1::uuid`,
    [templateId, uuidv7(), status],
  );
}

/**
 * Deletes the simulations of the service, the managed templates, and the templates that tests of the tenant created.
 */
export async function removeMade(): Promise<void> {
  await testService.query('delete from simulations where is_own');
  await testService.query(`delete from simulation_templates where custom_of is null or name = 'Parcel'`);
}
