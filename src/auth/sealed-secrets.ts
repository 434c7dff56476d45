import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';

const CIPHER = 'aes-256-gcm';
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface SecretsKey {
  id: string;
  key: Buffer;
}

/**
 * Encrypts secrets that the service must compute with, and so cannot store as a hash. The stored value consists of the
 * id of the key, a nonce, the tag and the ciphertext. It is useless without the key in the environment.
 */
export class SealedSecrets {
  readonly #keys: readonly SecretsKey[];

  /** @param keys keys of 32 bytes: the first one seals, all of them open */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((key) => ({ id: hash('sha256', key, 'hex').slice(0, 2 * KEY_ID_BYTES), key }));
  }

  /** Returns the key that seals. @throws {ApiError} `secrets_key_missing` if no key is configured */
  requireKey(): SecretsKey {
    const [first] = this.#keys;
    if (!first) throw keyMissing();
    return first;
  }

  /**
   * Seals a secret. @param owner identifies the row that stores the secret, so that a secret that is copied to another
   * row cannot be opened
   * @throws {ApiError} `secrets_key_missing` if no key is configured
   */
  seal(secret: string | Buffer, owner: string): Buffer {
    const first = this.requireKey();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, first.key, nonce).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
    return Buffer.concat([Buffer.from(first.id, 'hex'), nonce, cipher.getAuthTag(), text]);
  }

  /** Reports whether a secret was sealed with the key that currently seals. */
  isSealedByFirst(sealed: Buffer): boolean {
    return sealed.toString('hex', 0, KEY_ID_BYTES) === this.requireKey().id;
  }

  /**
   * Opens a secret that was sealed for the same owner.
   * @throws {ApiError} `secrets_key_missing` if no configured key has sealed it for this owner
   */
  open(sealed: Buffer, owner: string): string {
    return this.openBytes(sealed, owner).toString();
  }

  /** Opens a secret that was sealed as bytes, as `open` does. */
  openBytes(sealed: Buffer, owner: string): Buffer {
    const id = sealed.toString('hex', 0, KEY_ID_BYTES);
    const key = this.#keys.find((candidate) => candidate.id === id);
    if (!key) throw keyMissing();
    const [nonce, tag, text] = splitSealed(sealed.subarray(KEY_ID_BYTES));
    try {
      const decipher = createDecipheriv(CIPHER, key.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]);
    } catch (cause) {
      throw keyMissing(cause);
    }
  }
}

function splitSealed(sealed: Buffer): [nonce: Buffer, tag: Buffer, text: Buffer] {
  const start = NONCE_BYTES + TAG_BYTES;
  return [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES, start), sealed.subarray(start)];
}

function keyMissing(cause?: unknown): ApiError {
  return new ApiError(
    'secrets_key_missing',
    'The service has no key for this secret; ask its operator to configure one.',
    {
      cause,
    },
  );
}
