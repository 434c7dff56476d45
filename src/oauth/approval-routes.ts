import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Provider } from 'oidc-provider';
import type { ApiKeyCache } from '../auth/api-key-cache.ts';
import { getForm, readForm } from '../http/body/form.ts';
import { type Addresses, PATHS } from '../http/addresses.ts';
import { approvePage, type Asking, keyPage } from './approval-page.ts';
import { approvalMessages as messages } from './approval-messages.ts';
import { type Approval, type Approvals, MAX_TRIES } from './approvals.ts';
import { Refusal, sendPage } from './failures.ts';
import { refuseMethod } from '../http/guards.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { getRequestOrigin } from '../http/request-context.ts';
import { redirectTarget } from './redirect-target.ts';
import { grantable, readable } from './scopes.ts';
import type { Secrets } from './secrets.ts';

export interface ApprovalRoutesOptions {
  provider: Provider;
  addresses: Addresses;
  secrets: Secrets;
  approvals: Approvals;
  /** Lookup of keys, which caches none, because a key that is approved here must still be usable. */
  keys: ApiKeyCache;
  countFailure: CountRequest;
}

/** A request about an approval in progress in this browser. */
interface Visit {
  uid: string;
  approval: Approval;
  clientId: string;
  resources: string[];
  /** Scope that the application requests. */
  scope: string;
  asking: Asking;
}

/**
 * Serves the page on which a person approves with an API key. The first step asks for the key. The second shows whose
 * key it is and which application gets access, and asks for a decision. The page needs no script. Its state is in the
 * database, and its cookie is bound to its path.
 */
export function approvalRoutes(options: ApprovalRoutesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const path = `${PATHS.connect}/:uid`;
  router.get(path, async (req, res) => {
    const { approval, asking, scope } = await findVisit(options, req, res);
    const { key } = approval;
    sendPage(res, 200, key ? approvePage(asking, key, readable(scope, key.scopes)) : keyPage(asking));
  });
  router.post(path, requireOurForm(options.addresses), readForm, async (req, res) => {
    const visit = await findVisit(options, req, res);
    const form = getForm(req);
    if (!options.secrets.isFormToken(form.get('form_token') ?? '', formatStage(visit.uid, visit.approval))) {
      throw new Refusal(403, messages.stale);
    }
    await act(options, visit, form, req, res);
  });
  router.all(path, refuseMethod('GET', 'HEAD', 'POST'));
  return router;
}

/** Finds the approval in the URL. It must match the cookie and be undecided. @throws {Refusal} */
async function findVisit(
  { provider, approvals, secrets }: ApprovalRoutesOptions,
  req: Request,
  res: Response,
): Promise<Visit> {
  const { uid, result, params } = await provider.interactionDetails(req, res);
  const approval = await approvals.find(uid);
  if (uid !== req.params.uid || result || !approval) throw new Refusal(400, messages.over);
  const clientId = String(params.client_id);
  const client = await provider.Client.find(clientId);
  if (!client) throw new Refusal(400, messages.over);
  const asking: Asking = {
    clientName: client.clientName,
    documentHost: URL.canParse(clientId) ? new URL(clientId).host : undefined,
    target: redirectTarget(String(params.redirect_uri)),
    formToken: secrets.formToken(formatStage(uid, approval)),
  };
  return {
    uid,
    approval,
    clientId,
    resources: [params.resource].flat() as string[],
    scope: String(params.scope),
    asking,
  };
}

/** Formats the subject of a form token: an approval, its current step, and the key of that step. */
function formatStage(uid: string, { key }: Approval): string {
  return `${uid} ${key?.id ?? ''}`;
}

async function act(
  options: ApprovalRoutesOptions,
  visit: Visit,
  form: URLSearchParams,
  req: Request,
  res: Response,
): Promise<void> {
  const { key } = visit.approval;
  const action = form.get('action');
  if (action === 'deny') return finish(options, req, res, { error: 'access_denied' });
  if (action === 'check' && !key) return checkKey(options, visit, form.get('key') ?? '', req, res);
  if (action === 'back' && key) {
    await options.approvals.chooseKey(visit.uid, null);
    return res.redirect(303, `${PATHS.connect}/${visit.uid}`);
  }
  if (action === 'approve' && key) return approve(options, visit, key, req, res);
  throw new Refusal(400, messages.unreadable);
}

async function checkKey(
  options: ApprovalRoutesOptions,
  { uid, asking, scope }: Visit,
  text: string,
  req: Request,
  res: Response,
): Promise<void> {
  const { approvals, keys } = options;
  const tries = await approvals.takeTry(uid);
  if (tries === undefined) throw new Refusal(403, messages.closed);
  const caller = await keys.find(text.trim());
  const isPowerless = caller !== undefined && grantable(scope, caller.scopes).length === 0;
  if (caller && !isPowerless) {
    await approvals.chooseKey(uid, caller.keyId);
    return res.redirect(303, `${PATHS.connect}/${uid}`);
  }
  await options.countFailure(req, res);
  if (tries < MAX_TRIES) return sendPage(res, 400, keyPage(asking, { tries, isPowerless }));
  await approvals.end(uid);
  throw new Refusal(403, messages.closed);
}

async function approve(
  options: ApprovalRoutesOptions,
  { uid, clientId, resources, scope, asking }: Visit,
  key: { id: string; scopes: string[] | null },
  req: Request,
  res: Response,
): Promise<void> {
  const { approvals, provider } = options;
  if (!(await approvals.claim(uid, key.id))) throw new Refusal(400, messages.over);
  const grant = new provider.Grant({ accountId: key.id, clientId });
  // The library also treats a listed scope as an OpenID Connect scope, and asks again until both are granted.
  const granted = grantable(scope, key.scopes);
  grant.addOIDCScope(granted);
  for (const resource of resources) grant.addResourceScope(resource, granted);
  const grantId = await grant.save();
  const { clientName, target } = asking;
  await approvals.record({ grantId, clientName, redirectHost: target.name, origin: getRequestOrigin(req, res) });
  await finish(options, req, res, { login: { accountId: key.id }, consent: { grantId } });
}

/** Sends the browser back to the library, which redirects it to the application. */
function finish(
  { provider }: ApprovalRoutesOptions,
  req: Request,
  res: Response,
  result: Parameters<Provider['interactionFinished']>[2],
): Promise<void> {
  return provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}

/**
 * Rejects forms that the browser's headers attribute to other sites. Without these headers, only the form token is
 * checked.
 */
function requireOurForm({ issuer }: Addresses): RequestHandler {
  return (req, _res, next) => {
    const { origin, 'sec-fetch-site': site } = req.headers;
    const isForeign = (origin !== undefined && origin !== issuer) || (site !== undefined && site !== 'same-origin');
    next(isForeign ? new Refusal(403, messages.foreign) : undefined);
  };
}
