import { type Answer, call, post } from '../../support/client.ts';
import type { KeyName } from '../../support/world.ts';
import { create, file, storeFile } from './policy-state.ts';

/** Returns 08:00 UTC on 1 March of a year. */
export const inMarch = (year: number): string => `${year}-03-01T08:00:00.000Z`;

/** Creates a policy of the tenant as version 5.0, which another system published in March 2025. */
export const createOfThePast = (fields: object = {}): Promise<any> =>
  create({ majorVersion: 5, publishedAt: inMarch(2025), ...fields });

export const versionPath = (policyId: string, versionId?: string): string =>
  `/policies/${policyId}/versions${versionId === undefined ? '' : `/${versionId}`}`;

/** Sends a past version, by default version 1.0 of March 2021 with the file of the tenant's policies. */
export const tryToRecord = (policyId: string, fields: object = {}, key: KeyName = 'tenant'): Promise<Answer> =>
  post(versionPath(policyId), { pdfFile: file, publishedAt: inMarch(2021), majorVersion: 1, ...fields }, key);

/** Records a past version, dated March of the given year, with another file, and returns it. */
export async function recordVersion(policyId: string, year: number, fields: object = {}): Promise<any> {
  const pdfFile = await storeFile({ fileName: `${year}.pdf` });
  const past = { pdfFile, publishedAt: inMarch(year), majorVersion: year - 2020, ...fields };
  const { status, text, body } = await tryToRecord(policyId, past);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.data.versions.find(({ publishedAt }: any) => publishedAt === past.publishedAt);
}

export const remove = (policyId: string, versionId: string, key: KeyName = 'tenant'): Promise<Answer> =>
  call(key, 'DELETE', versionPath(policyId, versionId));
