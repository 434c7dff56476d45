import type { Handler, Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { createPersonToken } from '../../identity/person-token.ts';
import { isSameAddress } from '../../mail/same-address.ts';
import * as repository from './report-button-repository.ts';
import type { StoredButton } from './report-button-repository.ts';

const DEFAULT_OVERLAP_HOURS = 168;

interface ReportButtonHandlers {
  getReportButton: Handler<'getReportButton'>;
  replaceReportButton: Handler<'replaceReportButton'>;
  rotateReportButton: Handler<'rotateReportButton'>;
}

interface Options {
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
  /** E-mail address of the operator's mailbox for reports; undefined if there is none. */
  reportMailbox: string | undefined;
}

export function createReportButtonHandlers({ publicUrl, reportMailbox }: Options): ReportButtonHandlers {
  const toShown = ({ token, reportingAddress: _, ...button }: StoredButton): Schemas['ReportButton'] => {
    const base = `${publicUrl}/report-button/${token!}`;
    const outlook = { xmlManifestUrl: `${base}/manifest.xml`, appPackageUrl: `${base}/outlook.zip` };
    const gmail = { deploymentUrl: `${base}/gmail.json` };
    return { ...button, outlook: button.enabled ? outlook : null, gmail: button.enabled ? gmail : null };
  };
  return {
    getReportButton: async (_input, tenant) => toShown(await repository.findButton(tenant)),

    replaceReportButton: ({ body: { enabled, forwardTo = null } }, tenant) =>
      tenant.transaction(async (tx) => {
        const newToken = createPersonToken(tx.companyId);
        const button = await repository.replaceButton(tx, { enabled, forwardTo, newToken });
        if (enabled) requireAddress(button.forwardTo ?? button.reportingAddress, reportMailbox);
        return toShown(button);
      }),

    rotateReportButton: ({ body }, tenant) =>
      tenant.transaction(async (tx) => {
        const { overlapHours = DEFAULT_OVERLAP_HOURS } = body ?? {};
        return toShown(await repository.rotateToken(tx, { newToken: createPersonToken(tx.companyId), overlapHours }));
      }),
  };
}

/** Requires an e-mail address of the company, to which emails can be forwarded. @throws {ApiError} `invalid_request` */
function requireAddress(address: string | null, reportMailbox: string | undefined): void {
  if (address === null)
    throw invalidField('body/forwardTo', 'is required unless the settings of the company have a reporting address');
  if (isSameAddress(address, reportMailbox))
    throw invalidField(
      'body/forwardTo',
      'must be an address of your security team; nobody reads e-mails that are passed on to the mailbox for reports',
    );
}
