import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto'

/**
 * The hash with which the SDK signs requests, twice for each call. The SDK's own class gives Node
 * the secret as bytes, with which Node 24 takes five times as long as with a key object.
 */
export class Sha256 {
  readonly #hash: Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = secret === undefined ? undefined : createSecretKey(Buffer.from(secret as never))
    this.#hash = key ? createHmac('sha256', key) : createHash('sha256')
  }

  update(data: Uint8Array): void {
    this.#hash.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}
