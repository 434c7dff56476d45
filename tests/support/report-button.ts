import { type CompanyName, companies } from './world.ts';
import { call } from './client.ts';

export const PATH = '/company/report-button';
export const FORWARD_TO = 'phishing@tenant.test';

/** Enables a company's button and returns the path of its URLs. */
export async function enableButton(company: 'tenant' | 'other' = 'tenant'): Promise<string> {
  const { status, body } = await call(company, 'PUT', PATH, { body: { enabled: true, forwardTo: FORWARD_TO } });
  expect(status).toBe(200);
  return pathIn(body.data.outlook.xmlManifestUrl);
}

/** Returns the path of the button whose manifest has the URL. */
export function pathIn(manifestUrl: string): string {
  return new URL(manifestUrl).pathname.replace('/manifest.xml', '');
}

export async function disableButtons(...names: CompanyName[]): Promise<void> {
  const ids = names.map((name) => companies[name]);
  await testService.query('delete from company_settings where company_id = any($1::uuid[])', [ids]);
}

/** Builds the email that a simulation link came with. */
export const mailWith = (body: string, headers: readonly string[] = []): Buffer =>
  Buffer.from(['From: Parcels <notice@parcel-desk.test>', 'Subject: A parcel', ...headers, '', body, ''].join('\r\n'));

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, any>;
}

/** Reports an email as the add-in does. */
export async function report(
  button: string,
  source: Buffer | string,
  { reporter = '', language = 'en', origin = testService.url } = {},
): Promise<Answer> {
  const mail = typeof source === 'string' ? source : source.toString('base64');
  const sending = { method: 'POST', headers: { 'content-type': 'text/plain' } };
  const response = await fetch(`${origin}${button}/reports`, {
    ...sending,
    body: [language, reporter, mail].join('\n'),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** Returns the learners whose reports of a simulation are recorded. */
export async function reportersOf(simulationId: string): Promise<string[]> {
  const rows = await testService.query(
    `select learner_id as id from simulation_events where simulation_id = $1 and type = 'reported' order by learner_id`,
    [simulationId],
  );
  return rows.map(({ id }) => id as string);
}
