import type { TokenLimits, TokenSigner } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { JSONWebKeySet } from 'jose'

export type LogEntry = {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  readonly [field: string]: unknown
}

/** Everything that functions work with. Each function names the parts that it needs, and gets only those. */
export type Runtime = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Writes an entry as one line of JSON. An entry never has a credential. */
  log(entry: LogEntry): void
  /** The service's public URL, without a slash at its end. It is the issuer of the tokens. */
  readonly issuer: string
  readonly storage: Storage
  readonly issuance: TokenLimits
  /** The key that signs now. It is read again from time to time, so ask at each request. */
  signer(): Promise<TokenSigner>
  /** Public keys only. */
  verificationKeys(): Promise<JSONWebKeySet>
}
