import type { TokenLimits } from '@embed-access/core/sessions/generate.ts'
import type { TokenSigner } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { JSONWebKeySet } from 'jose'

export type LogEntry = {
  readonly level: 'info' | 'warn' | 'error'
  readonly requestId: string
  readonly [field: string]: unknown
}

/** All that functions work with. Each says which of it it needs, and gets no more. */
export type Runtime = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Takes what is to be written as one line of JSON; never a credential. */
  log(entry: LogEntry): void
  /** The service's own public URL, without a slash at its end: the issuer of its tokens. */
  readonly issuer: string
  readonly storage: Storage
  readonly issuance: TokenLimits
  readonly signer: TokenSigner
  /** Public keys only. */
  readonly verificationKeys: JSONWebKeySet
}
