import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

/** Values that a faulty or hostile device sends instead of the right ones. */
export interface Wrong {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether the device claims to have verified its user; by default true. */
  verifies?: boolean;
  /** Signature counter; by default one more than in the previous response. */
  counter?: number;
  userHandle?: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** A WebAuthn authenticator with one passkey. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  readonly #origin: string;
  #counter = 0;
  #user = '';
  #rpId = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  create({ challenge, rp, user }: CreationOptions, wrong: Wrong = {}): object {
    this.#user = user.id;
    this.#rpId = rp.id;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, key]);
    const data = Buffer.concat([this.#dataOf(WITH_KEY, wrong), credential]);
    const head = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, wrong).toString('base64url'),
      attestationObject: Buffer.concat([head, data]).toString('base64url'),
      transports: ['internal'],
    });
  }

  show({ challenge }: { challenge: string }, wrong: Wrong = {}): object {
    const data = this.#dataOf(0, wrong);
    const clientData = this.#clientData('webauthn.get', challenge, wrong);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: wrong.userHandle ?? this.#user,
    });
  }

  #answer(response: object): object {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    const origin = wrong.origin ?? this.#origin;
    return Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin, crossOrigin: false }));
  }

  #dataOf(flags: number, { rpId = this.#rpId, verifies = true, counter }: Wrong): Buffer {
    this.#counter = counter ?? this.#counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    const flag = Buffer.from([flags | PRESENT | (verifies ? VERIFIED : 0)]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flag, count]);
  }
}
