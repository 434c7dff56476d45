import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { evaluateCampaigns } from '../../../src/resources/campaigns/evaluate-campaigns.ts';
import type { SimulationServices } from '../../../src/resources/campaigns/simulations/begin-simulations.ts';
import { get, post } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { policyId } from '../../support/world-policies.ts';
import { type CompanyName, companies, managedCourses } from '../../support/world.ts';
import { uniqueId } from '../reports/past-state.ts';

const pool = openServicePool(2);
afterAll(() => pool.end());
afterEach(() => testService.query('delete from campaigns'));

export const phishing = { type: 'course', id: managedCourses.phishing };
export const EVERYONE = { everyone: true };
/** Audience that consists of some learners. */
export const only = (...learnerIds: string[]) => ({ include: [{ learnerIds }] });

/** Returns the day that is a number of days from today. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const NO_SIMULATIONS: SimulationServices = { simulations: undefined, findTexts: () => Promise.resolve(undefined) };

/** Runs the worker's evaluation for a company. */
export function evaluate(company: CompanyName = 'tenant', services = NO_SIMULATIONS): Promise<void> {
  const { signal } = new AbortController();
  return evaluateCampaigns(new TenantAccess(pool).ofJob(companies[company]), { signal, ...services });
}

/** Creates a campaign and lets the worker evaluate it. Returns its id. */
export async function runCampaign(fields: object = {}): Promise<string> {
  const campaign = { name: 'Basics', items: [phishing], audience: EVERYONE, due: { days: 14 }, status: 'active' };
  const { status, body } = await post('/campaigns', { ...campaign, ...fields });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  await evaluate();
  return body.data.id as string;
}

export async function listAssignments(query: string): Promise<any[]> {
  const { status, body } = await get(`/assignments?${query}`);
  expect(status).toBe(200);
  return body.data;
}

/** Reports that a learner has passed the phishing course. Returns the id of the event. */
export async function finish(learnerId: string): Promise<string> {
  const eventId = uniqueId();
  const finishedAt = new Date().toISOString();
  const result = { eventId, learner: { id: learnerId }, course: { id: phishing.id }, finishedAt, score: 100 };
  const { body } = await post('/course-results', { results: [result] });
  expect(body.data).toMatchObject({ success: true });
  return eventId;
}

/** Records that a learner has signed the first policy. Returns the id of the event. */
export async function sign(learnerId: string): Promise<string> {
  const eventId = uniqueId();
  const signedAt = new Date().toISOString();
  const signature = { eventId, learner: { id: learnerId }, policyId: policyId('tenant', 1), signedAt, offline: true };
  const { body } = await post('/policy-signatures', { signatures: [signature] });
  expect(body).toMatchObject({ data: { success: true } });
  return eventId;
}
