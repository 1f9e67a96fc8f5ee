import { hash, randomBytes } from 'node:crypto'
import { key } from '../storage/keys.ts'

/** A new session id: 256 random bits, URL-safe. It is a credential; only its hash is stored. */
export const newSessionId = (): string => randomBytes(32).toString('base64url')

export const sessionKey = (sessionId: string) => ({ pk: key('session', hash('sha256', sessionId, 'hex')) })

/**
 * The `jti` of the token that a session will become. It follows from the session id, so that a session can be named,
 * from mint to use, by whoever holds the id, and the id cannot be told from it.
 */
export const tokenIdOf = (sessionId: string): string => hash('sha256', `jti:${sessionId}`, 'base64url').slice(0, 22)

/** How long a session waits for its redemption, in seconds. */
export const sessionLifetimeSeconds = 300
