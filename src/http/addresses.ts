/** Paths of the authorization server. */
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  connect: '/connect',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** The scope of a grant that can read everything that its key can read. */
export const SCOPE = 'tenant:read';

export interface Addresses {
  /** The origin of the service, without a trailing slash. */
  issuer: string;
  /** URL of the tool server, for which tokens are issued. */
  resource: string;
  /** URL of the resource's metadata, for the `WWW-Authenticate` challenge of a 401 response. */
  resourceMetadata: string;
}

export function buildAddresses(publicUrl: string): Addresses {
  const issuer = new URL(publicUrl).origin;
  return { issuer, resource: `${issuer}/mcp`, resourceMetadata: `${issuer}${PATHS.resourceMetadata}/mcp` };
}
