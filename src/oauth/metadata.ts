import { type Addresses, PATHS } from '../http/addresses.ts';
import { SUPPORTED_SCOPES } from './scopes.ts';

/**
 * Builds the metadata of RFC 8414. The metadata that oidc-provider builds would take URLs from the Host header and
 * advertise OpenID Connect features.
 */
export function serverMetadata({ issuer }: Addresses): object {
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorize,
    token_endpoint: issuer + PATHS.token,
    registration_endpoint: issuer + PATHS.register,
    revocation_endpoint: issuer + PATHS.revoke,
    scopes_supported: SUPPORTED_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Builds the metadata of RFC 9728. */
export function resourceMetadata({ issuer, resource }: Addresses): object {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: SUPPORTED_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Security awareness tools',
  };
}
