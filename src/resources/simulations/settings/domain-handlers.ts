import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { PreflightHandler, Handler } from '../../../contract/contract.ts';
import { requireFound } from '../../../contract/errors.ts';
import { findEmailPolicy } from '../../learners/shared/email-policy.ts';
import * as repository from './domain-repository.ts';
import { judgeDomain } from './domain-rules.ts';
import type { FindTexts } from './find-texts.ts';

export const listSimulationDomains: Handler<'listSimulationDomains'> = (_input, tenant) =>
  tenant.stream(repository.listDomains, {});

export const deleteSimulationDomain: Handler<'deleteSimulationDomain'> = async ({ simulationDomainId }, tenant) => {
  await repository.removeDomain(tenant, simulationDomainId);
  return { id: simulationDomainId };
};

interface DomainHandlers {
  createSimulationDomain: Handler<'createSimulationDomain'>;
  verifySimulationDomain: PreflightHandler<'verifySimulationDomain'>;
}

export function createDomainHandlers(freeMail: ReadonlySet<string>, findTexts: FindTexts): DomainHandlers {
  return {
    createSimulationDomain: async ({ body }, tenant) => {
      const domain = judgeDomain(body.domain, { freeMail, policy: await findEmailPolicy(tenant) });
      return repository.insertDomain(tenant, { id: uuidv7(), domain, challenge: randomBytes(16).toString('hex') });
    },

    verifySimulationDomain: {
      preflight: async ({ simulationDomainId }, reader) => {
        const domain = await repository.findDomain(reader, simulationDomainId);
        const domainLookup = domain && (await repository.lookForProof(domain, findTexts, new Date()));
        return async (_input, tenant) => {
          const proof = requireFound(domainLookup, 'simulation domain');
          return { ...(await repository.recordProof(tenant, proof)), finding: proof.finding };
        };
      },
    },
  };
}
