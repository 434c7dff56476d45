import type { Caller, Origin } from '../../auth/caller.ts';
import { RefusedForm } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { activateAdmin } from './admin-repository.ts';
import { judgeNames, type SetupNames } from './admin-rules.ts';

interface SentSetup {
  adminId: string;
  tokenHash: Buffer;
  body: SetupNames;
}

/** A finished setup. The session secret is undefined if the admin must sign in with an identity provider. */
export interface FinishedSetup {
  session: string | undefined;
}

/** Signs a person in, and returns the session secret; undefined for a person who cannot sign in. */
export type BeginSession = (
  tenant: TenantWriter,
  person: { kind: 'admin'; personId: string; device: string; method: 'setup'; origin: Origin },
) => Promise<string | undefined>;

const UNKNOWN_ORIGIN: Origin = { requestId: '', address: null };

export function createSetupHandlers(beginSession: BeginSession) {
  return {
    /**
     * Finishes the setup of an admin and signs the admin in.
     * @returns null if the link has been used or replaced, or has expired
     * @throws {RefusedForm} if a name is invalid
     */
    async finishAdminSetup(
      { adminId, tokenHash, body }: SentSetup,
      tenant: TenantWriter,
      { origin = UNKNOWN_ORIGIN }: Pick<Caller, 'origin'>,
    ): Promise<FinishedSetup | null> {
      const faults = judgeNames(body);
      if (Object.keys(faults).length > 0) throw new RefusedForm(faults);
      return tenant.transaction(async (tx) => {
        const isDone = await activateAdmin(tx, { adminId, tokenHash, ...body });
        if (!isDone) return null;
        const person = { kind: 'admin', personId: adminId, device: '', method: 'setup', origin } as const;
        return { session: await beginSession(tx, person) };
      });
    },
  };
}
