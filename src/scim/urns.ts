const SCHEMAS = 'urn:ietf:params:scim:schemas:';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0:';

export const USER = `${SCHEMAS}core:2.0:User`;
export const ENTERPRISE_USER = `${SCHEMAS}extension:enterprise:2.0:User`;
export const GROUP = `${SCHEMAS}core:2.0:Group`;
export const SERVICE_PROVIDER_CONFIG = `${SCHEMAS}core:2.0:ServiceProviderConfig`;
export const RESOURCE_TYPE = `${SCHEMAS}core:2.0:ResourceType`;
export const SCHEMA = `${SCHEMAS}core:2.0:Schema`;
export const LIST_RESPONSE = `${MESSAGES}ListResponse`;
export const ERROR = `${MESSAGES}Error`;

const ENTERPRISE_PREFIX = `${ENTERPRISE_USER.toLowerCase()}:`;
const CORE_PREFIXES = [USER, GROUP].map((urn) => `${urn.toLowerCase()}:`);

/**
 * Returns the name of an attribute in lower case, without the URN of a core schema. Attributes of the enterprise
 * extension become `enterprise.…`, and the extension itself `enterprise`. Returns undefined for any other schema.
 */
export function plainName(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (!lower.startsWith('urn:')) return lower;
  if (`${lower}:` === ENTERPRISE_PREFIX) return 'enterprise';
  if (lower.startsWith(ENTERPRISE_PREFIX)) return `enterprise.${lower.slice(ENTERPRISE_PREFIX.length)}`;
  const prefix = CORE_PREFIXES.find((one) => lower.startsWith(one));
  return prefix && lower.slice(prefix.length);
}
