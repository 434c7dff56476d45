import { hash, hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Caller } from '../auth/caller.ts';
import { SealedSecrets } from '../auth/sealed-secrets.ts';

const PURPOSE = 'answer under an Idempotency-Key';
const [compress, expand] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The `Idempotency-Key` of a call. It is stored as a hash alone, and what is kept under it opens for those who send it. */
export class IdempotencyKey {
  readonly #text: string;
  readonly #sealed: SealedSecrets;

  /** @param secretsKeys of the environment: without one of them, a key that can be guessed does not open its answer either */
  constructor(text: string, secretsKeys: readonly Buffer[]) {
    this.#text = text;
    const salts = [...secretsKeys, Buffer.alloc(0)];
    this.#sealed = new SealedSecrets(salts.map((salt) => Buffer.from(hkdfSync('sha256', text, salt, PURPOSE, 32))));
  }

  /** Names the key in its company. The API keys of a company share theirs; a source has its own. */
  hashFor({ source }: Caller): Buffer {
    return hash('sha256', JSON.stringify([source?.id ?? null, this.#text]), 'buffer');
  }

  /** @param owner names the row that it is stored in: in another one it does not open */
  async seal(answer: string, owner: string): Promise<Buffer> {
    return this.#sealed.seal(await compress(answer), owner);
  }

  /** @throws {ApiError} `secrets_key_missing` when the key of the environment is gone that it was sealed with */
  async open(sealed: Buffer, owner: string): Promise<string> {
    return (await expand(this.#sealed.openBytes(sealed, owner))).toString();
  }
}
