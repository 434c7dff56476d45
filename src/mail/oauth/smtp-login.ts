import type { SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection';
import type { AccessTokens } from './access-tokens.ts';

/**
 * Returns the function with which nodemailer logs in with an access token: with XOAUTH2, or with OAUTHBEARER (RFC 7628)
 * if the server does not offer XOAUTH2. If the server rejects the token, tries once more with a new token.
 *
 * nodemailer's own OAuth 2 supports only XOAUTH2, renews tokens for each connection, and does not say which token
 * failed.
 */
export function createSmtpLogin(user: string, tokens: AccessTokens) {
  return async (server: SMTPConnectionCustomAuthContext): Promise<void> => {
    const token = await tokens.get();
    const response = await logIn(server, user, token);
    if (response.status === 235) return;
    // Other responses, such as 454, do not concern the token.
    if (response.status !== 535) throw new Error('the mail server refused the login');
    const renewed = await tokens.get(token);
    if (renewed !== token && (await logIn(server, user, renewed)).status === 235) return;
    throw new Error('the mail server rejected the access token');
  };
}

async function logIn(server: SMTPConnectionCustomAuthContext, user: string, token: string) {
  const method = server.authMethods.includes('XOAUTH2') ? 'XOAUTH2' : 'OAUTHBEARER';
  const fields = method === 'XOAUTH2' ? [`user=${user}`] : [`n,a=${escapeSaslName(user)},`];
  const message = Buffer.from([...fields, `auth=Bearer ${token}`, '', ''].join('\x01')).toString('base64');
  const response = await server.sendCommand(`AUTH ${method} ${message}`);
  // If the server refuses, it explains why in a challenge, which the client must acknowledge to get the final response.
  return response.status === 334 ? server.sendCommand(method === 'XOAUTH2' ? '' : 'AQ==') : response;
}

/** Escapes the separators of a user name (RFC 5801, section 4). */
function escapeSaslName(name: string): string {
  return name.replaceAll('=', '=3D').replaceAll(',', '=2C');
}
