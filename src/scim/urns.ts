const SCHEMAS = 'urn:ietf:params:scim:schemas:';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0:';

export const USER = `${SCHEMAS}core:2.0:User`;
export const ENTERPRISE_USER = `${SCHEMAS}extension:enterprise:2.0:User`;
/** Our own extension of users. Entra maps attributes only to extensions whose URN has this form. */
export const AWARENESS_USER = `${SCHEMAS}extension:awareness:2.0:User`;
export const GROUP = `${SCHEMAS}core:2.0:Group`;
export const SERVICE_PROVIDER_CONFIG = `${SCHEMAS}core:2.0:ServiceProviderConfig`;
export const RESOURCE_TYPE = `${SCHEMAS}core:2.0:ResourceType`;
export const SCHEMA = `${SCHEMAS}core:2.0:Schema`;
export const LIST_RESPONSE = `${MESSAGES}ListResponse`;
export const ERROR = `${MESSAGES}Error`;

/** Extensions of users, by the first part of the plain names of their attributes. */
const EXTENSIONS = Object.entries({ enterprise: ENTERPRISE_USER, awareness: AWARENESS_USER }).map(
  ([name, urn]) => [name, `${urn.toLowerCase()}:`] as const,
);
const CORE_PREFIXES = [USER, GROUP].map((urn) => `${urn.toLowerCase()}:`);

/**
 * Returns the name of an attribute in lower case, without the URN of a core schema. Attributes of the enterprise
 * extension become `enterprise.…`, and the extension itself `enterprise`. Those of our own extension become
 * `awareness.…` and `awareness`. Returns undefined for any other schema.
 */
export function plainName(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (!lower.startsWith('urn:')) return lower;
  for (const [extension, prefix] of EXTENSIONS) {
    if (`${lower}:` === prefix) return extension;
    if (lower.startsWith(prefix)) return `${extension}.${lower.slice(prefix.length)}`;
  }
  const prefix = CORE_PREFIXES.find((one) => lower.startsWith(one));
  return prefix && lower.slice(prefix.length);
}
