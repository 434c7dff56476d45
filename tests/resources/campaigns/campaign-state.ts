import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { evaluateCampaigns } from '../../../src/resources/campaigns/evaluate-campaigns.ts';
import { get, post } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { type CompanyName, companies, managedCourses } from '../../support/world.ts';

const pool = openServicePool(2);
afterAll(() => pool.end());

export const phishing = { type: 'course', id: managedCourses.phishing };
export const EVERYONE = { everyone: true };

/** Does what the worker does for a company. */
export function evaluate(company: CompanyName = 'tenant'): Promise<void> {
  return evaluateCampaigns(new TenantAccess(pool).ofJob(companies[company]), new AbortController().signal);
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
