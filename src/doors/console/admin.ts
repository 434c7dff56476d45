import type { Request, Response } from 'express';
import type { Caller } from '../../auth/caller.ts';
import { type Act, callerOfAdmin, type Session } from '../../auth/person-sessions.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type Language, languageOf, LANGUAGES } from '../../languages.ts';
import { contextOf, originOf } from '../../web/request-context.ts';

/** What a page of `/console` knows of who asks for it. The company is that of the session. */
export interface AdminVisit {
  admin: Pick<Session, 'id' | 'email' | 'firstName' | 'lastName' | 'locale'>;
  companyId: string;
  companyName: string;
  language: Language;
  /** Runs operations of the contract: may what a key of the company without scopes may. */
  caller: Caller;
  /** To read, and to keep what is entered nowhere. */
  tenant: TenantWriter;
  /** Opens the company for one change that is no operation, which the audit log has as the admin's. */
  open: (act: Act) => TenantWriter;
  /** What each form of the page sends back, as `form_token`. */
  formToken: string;
}

interface Locals {
  session: Session;
  admin: AdminVisit;
}

export function visitBy(session: Session, req: Request, res: Response): void {
  const { id, email, firstName, lastName, locale, companyId, companyName, tenant, formToken } = session;
  const locals = res.locals as Locals;
  const caller = callerOfAdmin(session, originOf(req, res));
  contextOf(res).caller = caller;
  locals.session = session;
  locals.admin = {
    admin: { id, email, firstName, lastName, locale },
    ...{ companyId, companyName, caller, tenant, formToken },
    language: locale === null ? languageAsked(req) : languageOf(locale),
    open: (act) => session.open(act, originOf(req, res)),
  };
}

/** Who has asked for the page. Only pages behind the sign-in may call this. */
export function adminOf(res: Response): AdminVisit {
  return (res.locals as Locals).admin;
}

export function sessionOf(res: Response): Session {
  return (res.locals as Locals).session;
}

/** The language that the browser asks for: of somebody whom we do not know. */
export function languageAsked(req: Request): Language {
  return languageOf(req.acceptsLanguages(...LANGUAGES) || null);
}
