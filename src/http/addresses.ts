/** Where the authorization server answers. */
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  connect: '/connect',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** The scope of a grant for all that its key may read. */
export const SCOPE = 'tenant:read';

export interface Addresses {
  /** The origin of the service, without a slash at its end. */
  issuer: string;
  /** The tool server: what tokens are for. */
  resource: string;
  /** Where the resource's metadata stands, for the challenge of a 401. */
  resourceMetadata: string;
}

export function buildAddresses(publicUrl: string): Addresses {
  const issuer = new URL(publicUrl).origin;
  return { issuer, resource: `${issuer}/mcp`, resourceMetadata: `${issuer}${PATHS.resourceMetadata}/mcp` };
}
