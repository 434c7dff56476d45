import type { Request, Response } from 'express';
import type { ScimOperationId } from '../contract/contract.ts';
import type { Invoke } from '../operations/invoke.ts';
import type { GroupWithMembers } from '../resources/directory/directory-group-handlers.ts';
import { namesTag } from '../contract/etags.ts';
import { getRequestContext, releaseBody } from '../http/request-context.ts';
import { toGroupFilter, readFilter } from './filter.ts';
import { readGroup, readGroupPatch } from './group-reading.ts';
import { readListQuery } from './list-query.ts';
import { toSearchQuery, readPage } from './page.ts';
import { isWanted, projected, readProjection, buildMeta, type Resource, withoutNulls } from './resource.ts';
import { listResponse, sendDocument, sendResource } from './scim-responses.ts';
import { getGroupVersion } from '../resources/directory/directory-group-rules.ts';
import { GROUP } from './urns.ts';

type Listed = { groups: GroupWithMembers[]; total: number };

/** Creates the actions for requests about groups, which invoke operations. */
export function groupActions(invoke: Invoke, base: string) {
  async function call(operationId: ScimOperationId, req: Request, res: Response, input: object) {
    const expectedVersion = req.get('if-match');
    const group = await invoke(operationId, getRequestContext(res).caller!, {
      ...req.params,
      expectedVersion,
      ...input,
    });
    releaseBody(req, res);
    return group as GroupWithMembers;
  }

  async function sendGroup(req: Request, res: Response, group: GroupWithMembers, status = 200): Promise<void> {
    await sendResource(res, groupResource(group, base), { status, projection: readProjection(req.query) });
  }

  async function sendPage(operationId: ScimOperationId, res: Response, query: Record<string, unknown>) {
    const { startIndex, limit, conditions } = readPage(query, readFilter);
    const filter = toGroupFilter(conditions);
    const projection = readProjection(query);
    const page = { filter, offset: startIndex - 1, limit, withMembers: isWanted('members', projection) };
    const { groups, total } = filter
      ? ((await invoke(operationId, getRequestContext(res).caller!, page)) as Listed)
      : { groups: [], total: 0 };
    const resources = groups.map((group) => projected(groupResource(group, base), projection));
    sendDocument(res, listResponse({ resources, total, startIndex }));
  }

  return {
    get: async (req: Request, res: Response): Promise<void> => {
      const group = await call('getScimGroup', req, res, {});
      const { version } = groupResource(group, base).meta;
      if (!namesTag(req.get('if-none-match'), version)) return sendGroup(req, res, group);
      res.setHeader('ETag', version).status(304).end();
    },

    list: (req: Request, res: Response): Promise<void> => sendPage('listScimGroups', res, readListQuery(req)),

    search: async (req: Request, res: Response): Promise<void> => {
      const query = toSearchQuery(req.body);
      releaseBody(req, res);
      await sendPage('searchScimGroups', res, query);
    },

    create: async (req: Request, res: Response): Promise<void> => {
      await sendGroup(req, res, await call('createScimGroup', req, res, { body: readGroup(req.body) }), 201);
    },

    replace: async (req: Request, res: Response): Promise<void> => {
      await sendGroup(req, res, await call('replaceScimGroup', req, res, { body: readGroup(req.body) }));
    },

    update: async (req: Request, res: Response): Promise<void> => {
      await call('updateScimGroup', req, res, { body: readGroupPatch(req.body) });
      res.status(204).end();
    },

    remove: async (req: Request, res: Response): Promise<void> => {
      await call('deleteScimGroup', req, res, {});
      res.status(204).end();
    },
  };
}

/** Converts a group to the form of RFC 7643. @param base the base URL of SCIM */
function groupResource({ memberIds, ...group }: GroupWithMembers, base: string): Resource {
  const member = (value: string) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' });
  const { id, displayName, externalId } = group;
  return withoutNulls({
    schemas: [GROUP],
    id,
    externalId,
    displayName,
    members: Array.isArray(memberIds) ? memberIds.map(member) : (memberIds?.map(member) ?? null),
    meta: buildMeta('Group', group, { base, version: getGroupVersion(group) }),
  });
}
