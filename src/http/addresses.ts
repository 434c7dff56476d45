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
  /** The origin of the service, without a slash at its end. */
  issuer: string;
  /** The address of the tool server, which tokens are issued for. */
  resource: string;
  /** The address of the resource's metadata, for the `WWW-Authenticate` challenge of a 401 response. */
  resourceMetadata: string;
}

export function buildAddresses(publicUrl: string): Addresses {
  const issuer = new URL(publicUrl).origin;
  return { issuer, resource: `${issuer}/mcp`, resourceMetadata: `${issuer}${PATHS.resourceMetadata}/mcp` };
}
