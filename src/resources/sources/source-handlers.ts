import { v7 as uuidv7 } from 'uuid';
import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import { getCallerKeyId, type SourceKind } from '../../auth/caller.ts';
import { createSourceSecret, hashSourceSecret } from '../../auth/source-secret.ts';
import type { Handler } from '../../contract/contract.ts';
import * as repository from './source-repository.ts';
import { judgeKind } from './source-rules.ts';

export const listSources: Handler<'listSources'> = (_input, tenant) => tenant.stream(repository.listSources, {});

export const deleteSource: Handler<'deleteSource'> = async ({ sourceId }, tenant) => {
  await repository.removeSource(tenant, sourceId);
  return { id: sourceId };
};

interface SecretHandlers {
  createSource: Handler<'createSource'>;
  rotateSourceSecret: Handler<'rotateSourceSecret'>;
}

export function createSecretHandlers(secrets: SealedSecrets): SecretHandlers {
  return {
    createSource: async ({ body: { name, kind } }, tenant, caller) => {
      judgeKind(kind, caller, 'body/kind');
      const id = uuidv7();
      const { secret, ...stored } = newSecret(id, kind);
      return {
        ...(await repository.insertSource(tenant, { id, name, kind, createdBy: getCallerKeyId(caller), ...stored })),
        secret,
      };
    },

    rotateSourceSecret: ({ sourceId }, tenant, caller) => {
      return tenant.transaction(async (tx) => {
        const { kind } = await repository.lockSource(tx, sourceId);
        judgeKind(kind, caller);
        const { secret, ...stored } = newSecret(sourceId, kind);
        return { ...(await repository.rotateSecret(tx, { sourceId, ...stored })), secret };
      });
    },
  };

  /** Creates a secret and its stored form. A `gophish` secret computes signatures, so its hash is not enough. */
  function newSecret(sourceId: string, kind: SourceKind): repository.StoredSecret & { secret: string } {
    const secret = createSourceSecret(sourceId);
    const sealedSecret = kind === 'gophish' ? secrets.seal(secret, sourceId) : null;
    return { secret, secretHash: hashSourceSecret(secret), sealedSecret };
  }
}
