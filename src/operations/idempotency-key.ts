import { hash, hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Caller } from '../auth/caller.ts';
import { SealedSecrets } from '../auth/sealed-secrets.ts';

const PURPOSE = 'answer under an Idempotency-Key';
const [compress, expand] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The `Idempotency-Key` of a call. Only its hash is stored; only a client that sends the key can open the response. */
export class IdempotencyKey {
  readonly #text: string;
  readonly #sealed: SealedSecrets;

  /** @param secretsKeys keys of the environment; without these, even a guessed `text` does not open its response */
  constructor(text: string, secretsKeys: readonly Buffer[]) {
    this.#text = text;
    const salts = [...secretsKeys, Buffer.alloc(0)];
    this.#sealed = new SealedSecrets(salts.map((salt) => Buffer.from(hkdfSync('sha256', text, salt, PURPOSE, 32))));
  }

  /** Hashes the key. All API keys of a company share one set of idempotency keys; each source has its own set. */
  hashFor({ source }: Caller): Buffer {
    return hash('sha256', JSON.stringify([source?.id ?? null, this.#text]), 'buffer');
  }

  /** @param owner name of the row that stores the response; the response cannot be opened from another row */
  async seal(answer: string, owner: string): Promise<Buffer> {
    return this.#sealed.seal(await compress(answer), owner);
  }

  /** @throws {ApiError} `secrets_key_missing` if the environment no longer has the key that sealed the response */
  async open(sealed: Buffer, owner: string): Promise<string> {
    return (await expand(this.#sealed.openBytes(sealed, owner))).toString();
  }
}
