// The pipeline: the single path through which every operation runs, whichever transport calls it.
//
// A transport (REST, MCP, SCIM, xAPI, the pages) authenticates the caller, counts rate limits and validates the input.
// `invoke` then applies the rules that the contract states per operation, and runs the handler. The steps, in order:
//
// 1. Lower-case the ids in the path. In an operation of a person, the id of the signed-in person replaces the id in the
//    input, so a person acts only for themselves.
// 2. Check the kind of caller, the scope and the account kind. A violation is `forbidden` or `insufficient_scope`. If
//    the operation needs a recent sign-in, reject people whose last sign-in or confirmation is too old with
//    `recent_sign_in_required`. Keys and sources are exempt. The console then asks the person to confirm, and submits
//    the form again.
// 3. Throw `not_found` if an id in the path is not a UUID, and `invalid_request` for a null character in a parameter.
//    If the call is rejected with `not_found`, and a parameter or field has the id of a merged learner, run it again
//    for the learner who replaced the merged one (merged-ids.ts). Only such calls pay for the lookup. Deletions and
//    calls from directories are not run again: they refer to the duplicate, not to the learner who replaced it.
// 4. Create the tenant handle, which checks the modules (src/auth/tenant-access.ts). A read gets a TenantReader, for a
//    managed child if the input names one. A change gets a TenantWriter of the caller's own company. A read of an admin
//    with the role manager is limited to their own people (managed-reads.ts).
// 5. Run the preflight of the handler, if it has one. Slow work such as DNS belongs there, outside any transaction.
// 6. Run the handler. With `If-Match`, the handler runs in a transaction that first locks the resource and compares its
//    ETag (preconditions.ts). With an idempotency key, it runs in the transaction that stores the response
//    (idempotency.ts). A dry run runs in a transaction that is rolled back, without an audit entry.
// 7. Write the audit entry (src/audit/operation-audit-recorder.ts).
//
// Guarantees:
// - A change and its audit entry commit together. A call that changes nothing gets its entry afterwards, except on the
//   pages, where resubmitting a form adds no entry. Operations of persons can opt out of auditing in the contract.
// - A read of a managed child is recorded in the child's log before any row is sent: lists are still unread then.
// - A call that is rejected with 403 is recorded as denied, at a bounded rate (src/auth/denied-call-audit.ts). A call
//   that is rejected for lack of a recent sign-in is not recorded: the sign-in log has the confirmation or its failure.
//
// Failures: every error reaches the transport unchanged. An audit entry that cannot be written fails the call.
//
// Status codes, headers, response formats and rate limits belong to the transports.
import { type AuditedCall, AuditTrail, toCallEntry } from '../audit/operation-audit-recorder.ts';
import { type Caller, getCallingPerson, isPermitted } from '../auth/caller.ts';
import type { DeniedCallAudit } from '../auth/denied-call-audit.ts';
import type { Module, TenantAccess } from '../auth/tenant-access.ts';
import {
  allOperations,
  type AnyOperationId,
  parameterModules,
  type PersonOperationId,
  personOperations,
} from '../contract/contract.ts';
import { translateDatabaseError } from '../db/database-errors.ts';
import { PageFigures } from '../db/page-figures.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import { ApiError, insufficientScope, invalidField, notFound, requireModules } from '../contract/errors.ts';
import { scimOperations } from '../../generated/scim-operations.ts';
import { isId } from '../db/ids.ts';
import { runIdempotent, type IdempotencyContext } from './idempotency.ts';
import { type LimitedRead, limitToOwnPeople } from './managed-reads.ts';
import { listLearnerIds, replaceLearnerIds } from './merged-ids.ts';
import type { Handlers } from './operations.ts';
import { requireUnchanged } from './preconditions.ts';
import { findCurrentLearnerIds } from '../resources/learners/shared/merged-learners.ts';
import { traced } from '../observability/tracing/tracing.ts';

/**
 * Runs an operation for a caller with validated input, for every transport.
 * @param once context of a change with an idempotency key; the result is then a `StoredResponse`
 */
export type Invoke = (
  operationId: AnyOperationId,
  caller: Caller,
  input: Record<string, unknown>,
  once?: IdempotencyContext,
) => Promise<unknown>;

type AnyHandler = (input: never, tenant: TenantReader | TenantWriter, caller: Caller) => unknown;

interface AnyPreflightHandler {
  preflight: (input: never, tenant: TenantReader, caller: Caller) => Promise<AnyHandler>;
}

/**
 * Creates the pipeline that runs the handlers.
 * @throws {ApiError} `insufficient_scope`, `forbidden` or `not_found`, and the errors of the handler
 */
export function createInvoke(access: TenantAccess, handlers: Handlers, deniedCalls: DeniedCallAudit): Invoke {
  const figures = new PageFigures();

  /** Runs an operation. If its input names merged learners, runs it for the learners who replaced them. */
  async function act(...[operationId, caller, sent, once]: Parameters<Invoke>): Promise<unknown> {
    try {
      return await actOnce(operationId, caller, sent, once);
    } catch (error) {
      // A database constraint can also reject an id.
      const failure = error instanceof ApiError ? error : translateDatabaseError(error);
      const learnerIds = failure?.code === 'not_found' ? listLearnerIds(sent) : [];
      const isRepeatable = !(operationId in scimOperations) && allOperations[operationId].cluster !== 'destructive';
      if (!isRepeatable || learnerIds.length === 0) throw error;
      const companyId = sent.companyId as string | undefined;
      const tenant = await access.reader(caller, companyId, modulesFor(operationId, sent));
      const currentIds = await findCurrentLearnerIds(tenant, learnerIds);
      if (currentIds.size === 0) throw error;
      return actOnce(operationId, caller, replaceLearnerIds(sent, currentIds), once, sent);
    }
  }

  /** @param first the input as it was sent, by which an Idempotency-Key recognises the call */
  async function actOnce(
    ...[operationId, caller, sent, once, first = sent]: [...Parameters<Invoke>, first?: Parameters<Invoke>[2]]
  ): Promise<unknown> {
    const { pathIds, cluster } = allOperations[operationId];
    const plainInput = (from: typeof sent) =>
      withPlainIds(isOfPerson(operationId) ? { ...from, ...getOwnId(caller) } : from, pathIds);
    const input = plainInput(sent);
    requireKindOfCaller(caller, operationId);
    requireScope(caller, operationId);
    requireAccountKind(caller, operationId);
    if (allOperations[operationId].recentSignIn) requireRecentProof(caller);
    for (const name of pathIds) {
      if (!isId(input[name] as string)) throw notFound(formatResourceName(name));
    }
    requireNoNull(input);
    const call = { operationId, caller, input };
    return cluster === 'read' ? actOnRead(call) : actOnChange(call, once, plainInput(first));
  }

  async function actOnRead(call: Call): Promise<unknown> {
    const { operationId, caller, input } = call;
    const requestedCompanyId = input.companyId as string | undefined;
    const reader = await access.reader(caller, requestedCompanyId, modulesFor(operationId, input));
    const read = await limitRead(figures.readerOf(reader, input), call);
    const data = await (handlers[operationId] as AnyHandler)(read.input as never, read.tenant, caller);
    const { companyId } = read.tenant;
    if (companyId !== caller.companyId) await access.recordEntry(companyId, toCallEntry(call, { companyId }));
    return data;
  }

  async function actOnChange(
    call: Call,
    once: IdempotencyContext | undefined,
    sentInput: Call['input'],
  ): Promise<unknown> {
    const { operationId, caller, input } = call;
    const recorder = isAudited(operationId) ? AuditTrail.ofCall(call) : undefined;
    const tenant = access.writer(caller, modulesFor(operationId, input), recorder);
    const { ifMatch, dryRun, ...handlerInput } = input as { ifMatch?: string; dryRun?: boolean };
    const handler = handlers[operationId] as AnyHandler | AnyPreflightHandler;
    const ready = 'preflight' in handler ? await handler.preflight(handlerInput as never, tenant, caller) : handler;
    const act = (own: TenantWriter) => ready(handlerInput as never, own, caller);
    const actIf = (own: TenantWriter) =>
      own.transaction(async (tx) => {
        await requireUnchanged(tx, call, { ifMatch: ifMatch!, handlers });
        return act(tx);
      });
    const handle = ifMatch === undefined ? act : actIf;
    if (dryRun === true) return rehearse(tenant, handle);
    if (once) return runIdempotent(tenant, { ...call, input: sentInput }, once, handle);
    const data = await handle(tenant);
    // Nothing changed. An API call is recorded nevertheless; a form that a person submits again is not.
    if (recorder && !recorder.isWritten && !isOfPerson(operationId)) {
      await access.recordEntry(caller.companyId, toCallEntry(call, { made: data }));
    }
    return data;
  }

  return (operationId, caller, input, once) => {
    const watched = () =>
      deniedCalls.record({ operationId, caller, input }, () => act(operationId, caller, input, once));
    return traced(`invoke ${operationId}`, {}, watched);
  };
}

/** Runs a change and rolls it back, with its messages, events and audit entry. Returns the result of the change. */
async function rehearse(tenant: TenantWriter, handle: (own: TenantWriter) => unknown): Promise<unknown> {
  const rollback = new Error('The dry run ends.');
  let result: unknown;
  try {
    await tenant.transaction(async (tx) => {
      result = await handle(tx);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return result;
}

/** Limits a read to the people of the caller, if the caller is a manager. */
async function limitRead(tenant: TenantReader, { operationId, caller, input }: Call): Promise<LimitedRead> {
  const operation: { scope: unknown; managers?: 'filter' | 'learner' | null } = allOperations[operationId];
  const { managers: limit = null } = operation;
  // Operations of persons affect only the caller. No other operation is open to managers without a limit.
  if (caller.isManager !== true || isOfPerson(operationId)) return { tenant, input };
  if (limit === null) throw new ApiError('forbidden', 'An admin with the role manager cannot call this operation.');
  return limitToOwnPeople(tenant, caller, { limit, input });
}

/** @throws {ApiError} `invalid_request` for a parameter with a null character, which Postgres cannot read */
function requireNoNull(input: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string' && value.includes('\0'))
      throw invalidField(`query/${name}`, 'must not contain null characters');
  }
}

/** Lower-cases ids, because some systems write them in capitals. */
function withPlainIds(input: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const ids = names.map((name) => [name, (input[name] as string | undefined)?.toLowerCase()] as const);
  return ids.every(([name, id]) => id === input[name]) ? input : { ...input, ...Object.fromEntries(ids) };
}

type Call = AuditedCall & { operationId: AnyOperationId };

/** Returns the module of the operation, and the modules of the given parameters. */
function modulesFor(operationId: AnyOperationId, input: Record<string, unknown>): Module[] {
  const byOperation: Partial<Record<AnyOperationId, Record<string, Module>>> = parameterModules;
  const given = Object.entries(byOperation[operationId] ?? {}).filter(([name]) => input[name] !== undefined);
  return [allOperations[operationId].module, ...given.map(([, module]) => module)];
}

/**
 * Requires that a key can call an operation for its company, before the call's input is read.
 * @throws {ApiError} `insufficient_scope`, `forbidden` or `module_not_enabled`
 */
export function requireOpenTo(caller: Caller, operationId: AnyOperationId): void {
  requireScope(caller, operationId);
  requireAccountKind(caller, operationId);
  requireModules([allOperations[operationId].module], caller.modules);
}

/** Requires a caller of a kind that the contract allows, such as a source of a certain kind, or a learner. */
function requireKindOfCaller(caller: Caller, operationId: AnyOperationId): void {
  const callers: readonly string[] = allOperations[operationId].callers;
  if (listCallerKinds(caller).some((kind) => callers.includes(kind))) return;
  const kind = caller.source?.kind;
  throw new ApiError(
    'forbidden',
    kind ? `Sources of kind ${kind} cannot call this operation.` : 'This caller cannot call this operation.',
  );
}

function listCallerKinds({ source, actor }: Caller): string[] {
  if (source) return [source.kind];
  if (actor?.type === 'learner') return ['learner'];
  return actor?.type === 'admin' ? ['admin', 'key'] : ['key'];
}

/** Returns the signed-in person's own id, because a person acts only for themselves. */
function getOwnId(caller: Caller): Record<string, string> {
  const person = getCallingPerson(caller);
  return person ? { [`${person.type}Id`]: person.id } : {};
}

function isOfPerson(operationId: AnyOperationId): operationId is PersonOperationId {
  return operationId in personOperations;
}

function isAudited(operationId: AnyOperationId): boolean {
  return !isOfPerson(operationId) || personOperations[operationId].isAudited;
}

function requireScope(caller: Caller, operationId: AnyOperationId): void {
  const operation = allOperations[operationId];
  if (!isPermitted(caller, operation)) throw insufficientScope(operation.scope!);
}

/** Requires that a person has recently confirmed who they are. @throws {ApiError} `recent_sign_in_required` */
export function requireRecentProof(caller: Pick<Caller, 'actor' | 'hasRecentProof'>): void {
  if (!getCallingPerson(caller) || caller.hasRecentProof) return;
  throw new ApiError('recent_sign_in_required', 'You last signed in more than ten minutes ago; confirm who you are.');
}

function requireAccountKind(caller: Caller, operationId: AnyOperationId): void {
  const { accountKinds } = allOperations[operationId];
  if (!accountKinds || (accountKinds as readonly string[]).includes(caller.accountType)) return;
  throw new ApiError('forbidden', `This operation needs the key of a company of kind ${accountKinds.join(' or ')}.`);
}

/** Formats the name of an id: `policyTemplateId` becomes `policy template`. */
function formatResourceName(idName: string): string {
  const name = idName.slice(0, -'Id'.length).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return name.replace(/^api /, 'API ');
}
