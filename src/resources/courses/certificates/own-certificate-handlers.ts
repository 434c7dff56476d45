import type { Language } from '../../../contract/languages.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import * as repository from './certificate-repository.ts';
import { formatNumber, lastValidDay } from './certificate-rules.ts';

interface OwnAttempt {
  learnerId: string;
  attemptId: string;
  language: Language;
}

/** Returns the certificate of a passed attempt. The number is null until the certificate is issued. */
export async function getOwnCertificate({ language, ...attempt }: OwnAttempt, tenant: TenantReader) {
  const { validForMonths, ...passed } = await repository.getPassedAttempt(tenant, attempt, language);
  const validUntil = lastValidDay(passed.finishDate, validForMonths);
  return { ...passed, validUntil, shownNumber: passed.number && formatNumber(passed.number) };
}

export function issueCertificate({ language, ...attempt }: OwnAttempt, tenant: TenantWriter): Promise<void> {
  return repository.issueCertificate(tenant, attempt, language);
}
