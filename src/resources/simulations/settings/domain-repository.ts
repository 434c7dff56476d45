import type { Schemas } from '../../../contract/contract.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { literal, type Sql, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { requireFound } from '../../../contract/errors.ts';
import { type Finding, judgeTexts, buildRecordName } from './domain-rules.ts';
import type { FindTexts } from './find-texts.ts';

export type Domain = Schemas['SimulationDomain'];

/**
 * Domain that the company is locked to. No other domain counts, because e-mail addresses in other domains might not
 * belong to the company's learners.
 */
const lockedDomain = (p: Parameters<object>): Sql => sql`
  (select lower(c.domain) from companies c where c.id = ${p.companyId} and c.domain_lock)`;

const domain = (p: Parameters<object>): Sql => sql`
  d.id, d.domain, ${literal(buildRecordName(''))} || d.domain as "recordName", d.challenge as "recordValue",
  d.domain is not distinct from ${lockedDomain(p)} as locked, d.created_at as "createdAt", d.proved_at as "provedAt", d.checked_at as "checkedAt"`;

export const listDomains = pagedQuery<object, Domain>(
  'simulation_domain_list',
  BY_ID,
  (p) => sql`select ${domain(p)} from simulation_domains d where d.company_id = ${p.companyId}`,
);

const byId = query<{ simulationDomainId: string }, Domain>(
  'simulation_domain_by_id',
  (p) => sql`
    select ${domain(p)} from simulation_domains d where d.company_id = ${p.companyId} and d.id = ${p.simulationDomainId}`,
);

export async function findDomain(tenant: TenantReader, simulationDomainId: string): Promise<Domain | undefined> {
  return tenant.queryOne(byId, { simulationDomainId });
}

/** Builds the condition that the locked domain of company `k` is proved. A proof is valid for a day after a lookup. */
export const isDomainProved = (p: Parameters<object>): Sql => sql`
  (k.domain_lock and exists (
     select from simulation_domains d
      where d.company_id = ${p.companyId} and d.domain = lower(k.domain) and d.proved_at is not null
        and d.checked_at > now() - interval '1 day'))`;

// Returns a domain that exists already without changing it.
const insert = mutation<{ id: string; domain: string; challenge: string }, Domain>(
  'simulation_domain_insert',
  (p) => sql`
    with inserted as (
      insert into simulation_domains (company_id, id, domain, challenge)
      values (${p.companyId}, ${p.id}, ${p.domain}, ${p.challenge})
      on conflict (company_id, domain) do update set domain = excluded.domain
      returning *
    ) select ${domain(p)} from inserted d`,
);

export async function insertDomain(
  tenant: TenantWriter,
  created: { id: string; domain: string; challenge: string },
): Promise<Domain> {
  return (await tenant.mutate(insert, created))[0]!;
}

const remove = mutation<{ simulationDomainId: string }, { id: string }>('simulation_domain_remove', (p, knex) =>
  knex('simulation_domains').where({ company_id: p.companyId, id: p.simulationDomainId }).delete().returning('id'),
);

/** @throws not_found */
export async function removeDomain(tenant: TenantWriter, simulationDomainId: string): Promise<void> {
  requireFound((await tenant.mutate(remove, { simulationDomainId }))[0], 'simulation domain');
}

/** Result of a DNS lookup for a domain, and its time. */
export interface DomainLookup {
  domain: Domain;
  finding: Finding;
  at: Date;
}

/** Looks up a domain's TXT record in DNS, which can take seconds. */
export async function lookForProof(storedDomain: Domain, findTexts: FindTexts, at: Date): Promise<DomainLookup> {
  return {
    domain: storedDomain,
    finding: judgeTexts(await findTexts(storedDomain.recordName), storedDomain.recordValue),
    at,
  };
}

const record = mutation<{ simulationDomainId: string; isProved: boolean; at: string }, Domain>(
  'simulation_domain_record',
  (p) => sql`
    update simulation_domains d
       set proved_at = case when ${p.isProved}::boolean then coalesce(d.proved_at, ${p.at}::timestamptz) end,
           checked_at = ${p.at}::timestamptz
     where d.company_id = ${p.companyId} and d.id = ${p.simulationDomainId}
    returning ${domain(p)}`,
);

/**
 * Records the result of a lookup, and returns the updated domain. If DNS did not respond, a proof stays valid until it
 * is a day old.
 * @throws not_found if the domain was deleted in the meantime
 */
export async function recordProof(tenant: TenantWriter, { domain: found, finding, at }: DomainLookup): Promise<Domain> {
  if (finding === 'unanswered') return found;
  const recorded = { simulationDomainId: found.id, isProved: finding === 'proved', at: at.toISOString() };
  return requireFound((await tenant.mutate(record, recorded))[0], 'simulation domain');
}

/** Looks up the proofs of the domain that the company is locked to. Slow, so it must not run in a transaction. */
export async function lookForProofs(tenant: TenantReader, findTexts: FindTexts, now: Date): Promise<DomainLookup[]> {
  const domains = (await tenant.queryAll(listDomains, {})).filter(({ locked }) => locked);
  return Promise.all(domains.map((one) => lookForProof(one, findTexts, now)));
}

/** Records lookups, and returns the proved domains. If DNS did not respond, no simulation can start. */
export async function recordProofs(tenant: TenantWriter, proofs: readonly DomainLookup[]): Promise<string[]> {
  const domains: string[] = [];
  for (const proof of proofs) {
    const { domain: name, locked } = await recordProof(tenant, proof);
    if (proof.finding === 'proved' && locked) domains.push(name);
  }
  return domains;
}

/** Looks up and records the proofs again. Returns the domains that are then proved. */
export async function reproveDomains(tenant: TenantWriter, findTexts: FindTexts, now: Date): Promise<string[]> {
  return recordProofs(tenant, await lookForProofs(tenant, findTexts, now));
}
