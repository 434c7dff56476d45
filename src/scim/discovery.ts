import { listResponse } from './scim-responses.ts';
import { schemas } from './schemas.ts';
import { AWARENESS_USER, ENTERPRISE_USER, GROUP, RESOURCE_TYPE, SERVICE_PROVIDER_CONFIG, USER } from './urns.ts';

/** Maximum number of resources on a page. */
export const MAX_RESULTS = 200;

export function serviceProviderConfig(base: string, guide: string): object {
  return {
    schemas: [SERVICE_PROVIDER_CONFIG],
    documentationUri: guide,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      { type: 'oauthbearertoken', name: 'API key', description: 'A key with the scope scim, as a bearer token.' },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

const resourceTypes = [
  {
    id: 'User',
    description: 'A learner.',
    schema: USER,
    schemaExtensions: [ENTERPRISE_USER, AWARENESS_USER].map((schema) => ({ schema, required: false })),
  },
  { id: 'Group', description: 'A group of learners.', schema: GROUP, schemaExtensions: [] },
];

/** Documents of one kind, by their ids. */
export type Documents = ReadonlyMap<string, object>;

export function resourceTypesAt(base: string): Documents {
  const documents = resourceTypes.map(({ id, ...type }) => {
    const meta = { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` };
    return { schemas: [RESOURCE_TYPE], id, name: id, endpoint: `/${id}s`, ...type, meta };
  });
  return new Map(documents.map((document) => [document.id, document]));
}

export function schemasAt(base: string): Documents {
  const documents = schemas.map((schema) => {
    return { ...schema, meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` } };
  });
  return new Map(documents.map((document) => [document.id, document]));
}

export function toDocumentList(documents: Documents): object {
  const resources = [...documents.values()];
  return listResponse({ resources, total: resources.length, startIndex: 1 });
}
