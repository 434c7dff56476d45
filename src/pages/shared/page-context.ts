import type { Request, Response } from 'express';
import type { Act, Session } from '../../identity/person-sessions.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type Language, languageOf, LANGUAGES } from '../../contract/languages.ts';
import { originOf } from '../../http/request-context.ts';

/** What a page knows of the learner or admin who asks for it. The company is that of the session. */
export interface PageContext {
  person: Pick<Session, 'id' | 'email' | 'firstName' | 'lastName' | 'locale'>;
  companyId: string;
  companyName: string;
  /** What the company has enabled. */
  modules: readonly string[];
  language: Language;
  /** To read, and to keep what is entered nowhere, such as progress. */
  tenant: TenantWriter;
  /** Opens the company for one change, which the audit log has as the person's. */
  open: (act: Act) => TenantWriter;
  /** What each form of the page sends back, as `form_token`. */
  formToken: string;
}

interface Locals {
  session?: Session;
  page?: PageContext;
}

export function beginPage(session: Session, req: Request, res: Response): void {
  const { id, email, firstName, lastName, locale, companyId, companyName, modules, tenant, formToken } = session;
  const locals = res.locals as Locals;
  locals.session = session;
  locals.page = {
    person: { id, email, firstName, lastName, locale },
    ...{ companyId, companyName, modules, tenant, formToken },
    language: locale === null ? languageAsked(req) : languageOf(locale),
    open: (act) => session.open(act, originOf(req, res)),
  };
}

/** Who has asked for the page. Only pages behind the sign-in may call this. */
export function pageContextOf(res: Response): PageContext {
  return (res.locals as Locals).page!;
}

export function sessionOf(res: Response): Session {
  return (res.locals as Locals).session!;
}

/** Undefined before the sign-in. */
export function currentUser(res: Response): PageContext | undefined {
  return (res.locals as Locals).page;
}

/** The language that the browser asks for: of somebody whom we do not know. */
export function languageAsked(req: Request): Language {
  return languageOf(req.acceptsLanguages(...LANGUAGES) || null);
}
