import type { Request, Response } from 'express';
import type { Caller } from '../../auth/caller.ts';
import { toPersonCaller, type Session } from '../../identity/person-sessions.ts';
import type { PersonOperationId } from '../../contract/contract.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import { type Language, toLanguage, LANGUAGES } from '../../contract/languages.ts';
import type { Brand } from '../../http/html/brand.ts';
import type { Invoke } from '../../operations/invoke.ts';
import type { PersonResult, PersonInput } from '../../operations/operations.ts';
import { getRequestContext, getRequestOrigin } from '../../http/request-context.ts';

/** The signed-in learner or admin of a page, with the company of the session. */
export interface PageContext {
  person: Pick<Session, 'id' | 'email' | 'firstName' | 'lastName' | 'locale'>;
  companyId: string;
  companyName: string;
  brand: Brand | null;
  /** Modules that the company has. */
  modules: readonly string[];
  language: Language;
  /** The person as a caller of operations. */
  caller: Caller;
  /** Runs a person operation as this person. @throws {ApiError} as the operation does */
  call: CallAsPerson;
  /** Token that each form of the page sends back as `form_token`. */
  formToken: string;
  /** Managed company that an admin is viewing; undefined for pages of the admin's own company. */
  child?: ChildPages;
  /** Path of the only training that the page can show; undefined for a person who is signed in. */
  linkedHome?: string;
}

/** A managed company whose pages an admin is viewing. */
export interface ChildPages {
  id: string;
  name: string;
  /** Modules that the managed company has. */
  modules: readonly string[];
  /** Path prefix of the managed company's pages. */
  path: string;
}

export type CallAsPerson = <Op extends PersonOperationId>(
  operationId: Op,
  input: PersonInput<Op>,
) => Promise<PersonResult<Op>>;

/** Returns a function that runs person operations for one caller, and reports a missing module as `not_found`. */
export function callAs(invoke: Invoke, caller: Caller): CallAsPerson {
  return async (operationId, input) => {
    try {
      return (await invoke(operationId, caller, input)) as never;
    } catch (error) {
      throw error instanceof ApiError && error.code === 'module_not_enabled' ? notFound('page') : error;
    }
  };
}

interface Locals {
  session?: Session;
  page?: PageContext;
}

export function beginPage(session: Session, invoke: Invoke, req: Request, res: Response): void {
  const { id, email, firstName, lastName, locale, companyId, companyName, brand, modules, formToken } = session;
  const caller = toPersonCaller(session, getRequestOrigin(req, res));
  // The access log names API keys and admins, but no learners.
  if (session.kind === 'admin') getRequestContext(res).caller = caller;
  const locals = res.locals as Locals;
  locals.session = session;
  locals.page = {
    person: { id, email, firstName, lastName, locale },
    ...{ companyId, companyName, modules, formToken, caller, call: callAs(invoke, caller) },
    brand: brand && { ...brand, companyId },
    language: locale === null ? languageAsked(req) : toLanguage(locale),
  };
}

/** Turns the page into a page of a managed company, which the admin can only read. */
export function enterChild(res: Response, child: ChildPages): void {
  const locals = res.locals as Locals;
  const { caller, ...own } = locals.page!;
  const { modules } = child;
  locals.page = { ...own, child, modules, caller: Object.freeze({ ...caller, childId: child.id }) };
}

/** Recipient of a simulation's message with a link that opens one training. */
type LinkedPerson = Pick<
  Session,
  'email' | 'firstName' | 'lastName' | 'locale' | 'companyName' | 'brand' | 'modules'
> & {
  learnerId: string;
  caller: Caller;
  /** The token of forms, derived from the secret of the link. */
  nonce: string;
};

/** Begins a page for a person who is not signed in and has a link that opens one training. */
export function beginLinkedPage(link: LinkedPerson, linkedHome: string, invoke: Invoke, res: Response): void {
  const { learnerId, email, firstName, lastName, locale, companyName, modules, nonce } = link;
  const caller = Object.freeze({ ...link.caller, modules });
  (res.locals as Locals).page = {
    person: { id: learnerId, email, firstName, lastName, locale },
    brand: link.brand && { ...link.brand, companyId: caller.companyId },
    ...{ companyId: caller.companyId, companyName, modules, formToken: nonce, caller, call: callAs(invoke, caller) },
    language: toLanguage(locale),
    linkedHome,
  };
}

/** Returns the signed-in person and their company. Call it only in pages that require a sign-in. */
export function getPageContext(res: Response): PageContext {
  return (res.locals as Locals).page!;
}

export function getSession(res: Response): Session {
  return (res.locals as Locals).session!;
}

/** Returns the session; undefined on pages that the link in a message opened. */
export function findSession(res: Response): Session | undefined {
  return (res.locals as Locals).session;
}

/** Returns the signed-in person and their company; undefined for a visitor who is not signed in. */
export function currentUser(res: Response): PageContext | undefined {
  return (res.locals as Locals).page;
}

/** Returns the language that the browser requests, for visitors whose language is unknown. */
export function languageAsked(req: Request): Language {
  return toLanguage(req.acceptsLanguages(...LANGUAGES) || null);
}
