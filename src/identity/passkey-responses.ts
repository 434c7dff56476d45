import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** Builds the user handle that the device stores: the ids of the company and of the admin. */
export function toPasskeyUserId(companyId: string, adminId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`${companyId}${adminId}`.replaceAll('-', ''), 'hex'));
}

/** The parts of a response that identify the passkey. */
interface Shown {
  companyId: string;
  userHandle: Buffer;
  credentialId: Buffer;
  response: AuthenticationResponseJSON;
}

const USER_BYTES = 32;

/** Reads the parts of a response that identify the passkey; undefined for an invalid response. */
export function readShown(input: unknown): Shown | undefined {
  const response = input as Partial<AuthenticationResponseJSON> | null;
  const [id, handle]: unknown[] = [response?.id, response?.response?.userHandle];
  if (typeof id !== 'string' || typeof handle !== 'string') return undefined;
  const userHandle = Buffer.from(handle, 'base64url');
  if (userHandle.length !== USER_BYTES) return undefined;
  const companyId = userHandle.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    companyId,
    userHandle,
    credentialId: Buffer.from(id, 'base64url'),
    response: response as AuthenticationResponseJSON,
  };
}

/** Reads the challenge that a response claims to sign; empty if it names none. */
export function challengeIn(input: unknown): string {
  try {
    const { clientDataJSON } = (input as RegistrationResponseJSON).response;
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
