import { hash, randomBytes } from 'node:crypto'
import { key } from '../storage/keys.ts'

/** A new session id: 256 random bits in base64url. It is a credential, so only its hash is stored. */
export const newSessionId = (): string => randomBytes(32).toString('base64url')

export const sessionKey = (sessionId: string) => ({ pk: key('session', hash('sha256', sessionId, 'hex')) })

/** The `jti` of a session's token, by which its owner finds all its traces. Nobody can find the session id from the `jti`. */
export const tokenIdOf = (sessionId: string): string => hash('sha256', `jti:${sessionId}`, 'base64url').slice(0, 22)
