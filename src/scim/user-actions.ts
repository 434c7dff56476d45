import type { Request, Response } from 'express';
import type { ScimOperationId } from '../contract/contract.ts';
import type { Invoke } from '../operations/invoke.ts';
import type { DirectoryUser } from '../resources/directory/directory-user-repository.ts';
import { namesTag } from '../contract/etags.ts';
import { getRequestContext, releaseBody } from '../http/request-context.ts';
import { readFilter, toUserFilter } from './filter.ts';
import { readListQuery } from './list-query.ts';
import { toSearchQuery, readPage } from './page.ts';
import { projected, readProjection, buildMeta, type Resource, withoutNulls } from './resource.ts';
import { listResponse, sendDocument, sendResource } from './scim-responses.ts';
import { readUser, readUserPatch } from './user-reading.ts';
import { getUserVersion } from '../resources/directory/directory-user-rules.ts';
import { AWARENESS_USER, ENTERPRISE_USER, USER } from './urns.ts';

/** Creates the actions for requests about users, which invoke operations. */
export function userActions(invoke: Invoke, base: string) {
  async function call(
    operationId: ScimOperationId,
    req: Request,
    res: Response,
    input: object,
  ): Promise<DirectoryUser> {
    const expectedVersion = req.get('if-match');
    const user = await invoke(operationId, getRequestContext(res).caller!, {
      ...req.params,
      expectedVersion,
      ...input,
    });
    releaseBody(req, res);
    return user as DirectoryUser;
  }

  async function sendUser(req: Request, res: Response, user: DirectoryUser, status = 200): Promise<void> {
    await sendResource(res, userResource(user, base), { status, projection: readProjection(req.query) });
  }

  async function sendPage(operationId: ScimOperationId, res: Response, query: Record<string, unknown>) {
    const { startIndex, limit, conditions } = readPage(query, readFilter);
    const filter = toUserFilter(conditions);
    const page = { filter, offset: startIndex - 1, limit };
    const { users, total } = filter
      ? ((await invoke(operationId, getRequestContext(res).caller!, page)) as {
          users: DirectoryUser[];
          total: number;
        })
      : { users: [], total: 0 };
    const projection = readProjection(query);
    const resources = users.map((user) => projected(userResource(user, base), projection));
    sendDocument(res, listResponse({ resources, total, startIndex }));
  }

  return {
    get: async (req: Request, res: Response): Promise<void> => {
      const user = await call('getScimUser', req, res, {});
      const { version } = userResource(user, base).meta;
      if (!namesTag(req.get('if-none-match'), version)) return sendUser(req, res, user);
      res.setHeader('ETag', version).status(304).end();
    },

    list: (req: Request, res: Response): Promise<void> => sendPage('listScimUsers', res, readListQuery(req)),

    search: async (req: Request, res: Response): Promise<void> => {
      const query = toSearchQuery(req.body);
      releaseBody(req, res);
      await sendPage('searchScimUsers', res, query);
    },

    create: async (req: Request, res: Response): Promise<void> => {
      await sendUser(req, res, await call('createScimUser', req, res, { body: readUser(req.body) }), 201);
    },

    replace: async (req: Request, res: Response): Promise<void> => {
      await sendUser(req, res, await call('replaceScimUser', req, res, { body: readUser(req.body) }));
    },

    update: async (req: Request, res: Response): Promise<void> => {
      await sendUser(req, res, await call('updateScimUser', req, res, { body: readUserPatch(req.body) }));
    },

    remove: async (req: Request, res: Response): Promise<void> => {
      await call('deleteScimUser', req, res, {});
      res.status(204).end();
    },
  };
}

/** Converts a user to the form of RFC 7643. @param base the base URL of SCIM */
function userResource(user: DirectoryUser, base: string): Resource {
  const { id, externalId, userName, givenName, familyName, email, active, preferredLanguage } = user;
  const formatted = `${givenName} ${familyName}`.trimEnd();
  const groups = user.groups.map((group) => {
    return { value: group.id, $ref: `${base}/Groups/${group.id}`, display: group.name, type: 'direct' };
  });
  const extension = enterpriseExtension(user, base);
  const ownExtension = user.absentUntil === null ? null : { absentUntil: user.absentUntil };
  return withoutNulls({
    schemas: [USER, ...(extension ? [ENTERPRISE_USER] : []), ...(ownExtension ? [AWARENESS_USER] : [])],
    id,
    externalId,
    userName,
    name: { formatted, givenName, ...(familyName !== '' && { familyName }) },
    displayName: user.displayName ?? formatted,
    title: user.jobTitle,
    emails: [{ value: email, type: 'work', primary: true }],
    addresses: postalAddresses(user),
    active,
    preferredLanguage,
    timezone: user.timeZone,
    groups,
    meta: buildMeta('User', user, { base, version: getUserVersion(user) }),
    [ENTERPRISE_USER]: extension,
    [AWARENESS_USER]: ownExtension,
  });
}

function postalAddresses({ country, location }: DirectoryUser): object[] | null {
  if (country === null && location === null) return null;
  const parts = { ...(country !== null && { country }), ...(location !== null && { locality: location }) };
  return [{ ...parts, type: 'work', primary: true }];
}

function enterpriseExtension(user: DirectoryUser, base: string): object | null {
  const { employeeNumber, department, managerId, managerName } = user;
  const manager = managerId && { value: managerId, $ref: `${base}/Users/${managerId}`, displayName: managerName };
  const values = Object.entries({ employeeNumber, department, manager }).filter(([, value]) => value !== null);
  return values.length === 0 ? null : Object.fromEntries(values);
}
