import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

type Names = { type: 'dns' | 'ip'; value: string }[];

/** A certificate and its private key in PEM, in the form that `tls.createServer` accepts. */
export interface ServerCertificate {
  cert: string;
  key: string;
}

/** A certificate authority whose certificates expire after a day. */
export class Authority {
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #certificate: X509Certificate;

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
  }

  static async create(): Promise<Authority> {
    const keys = await createKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      ...validNow(),
      name: 'CN=Authority of the tests',
      keys,
      extensions: [new BasicConstraintsExtension(true)],
    });
    return new Authority(keys, certificate);
  }

  /** The authority's own certificate, in PEM. */
  get pem(): string {
    return this.#certificate.toString('pem');
  }

  /** Issues a certificate for host names and literal addresses. */
  async certify(...names: Names): Promise<ServerCertificate> {
    return this.#issue(names, validNow());
  }

  /** Issues a certificate that has expired. */
  async certifyUntilNow(...names: Names): Promise<ServerCertificate> {
    return this.#issue(names, { ...validNow(), notAfter: new Date(Date.now() - HOUR_MS / 2) });
  }

  async #issue(names: Names, validity: ReturnType<typeof validNow>): Promise<ServerCertificate> {
    const keys = await createKeys();
    const certificate = await X509CertificateGenerator.create({
      ...validity,
      subject: 'CN=Server of the tests',
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [new SubjectAlternativeNameExtension(names)],
    });
    return toServerCertificate(certificate, keys);
  }
}

/** Creates a self-signed certificate. */
export async function certifySelf(...names: Names): Promise<ServerCertificate> {
  const keys = await createKeys();
  const extensions = [new SubjectAlternativeNameExtension(names)];
  const settings = { ...validNow(), name: 'CN=Server of the tests', keys, extensions };
  return toServerCertificate(await X509CertificateGenerator.createSelfSigned(settings), keys);
}

async function toServerCertificate(
  certificate: X509Certificate,
  keys: webcrypto.CryptoKeyPair,
): Promise<ServerCertificate> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { cert: certificate.toString('pem'), key };
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function validNow() {
  const signingAlgorithm = ALGORITHM;
  return {
    signingAlgorithm,
    notBefore: new Date(Date.now() - HOUR_MS),
    notAfter: new Date(Date.now() + 24 * HOUR_MS),
  };
}
