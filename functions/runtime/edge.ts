import { hash } from 'node:crypto'
import type { Environment } from './environment.ts'

/**
 * The header that CloudFront adds to each request. A request without it did not come through
 * CloudFront.
 */
export const edgeHeader = 'x-origin-verify'

/**
 * The header in which CloudFront says the caller's address. CloudFront replaces what the caller
 * sent.
 */
export const addressHeader = 'true-client-ip'

/**
 * The environment variable with the SHA-256 hashes of the secrets, in hex, separated by commas.
 * Without it there is no edge.
 */
export const edgeVariable = 'EDGE_SECRET_HASHES'

/** The hash of a secret. Nobody learns the secret from the environment of a function. */
export const edgeHash = (secret: string): string => hash('sha256', secret, 'hex')

/**
 * Hashes of the secrets that the edge may send, if there is an edge. A text that is no hash lets
 * nobody in.
 */
export const edgeHashes = (environment: Environment): readonly string[] | undefined =>
  environment[edgeVariable]?.split(',')

type Requested = {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly requestContext: { readonly http: { sourceIp: string } }
}

/**
 * Middleware that refuses requests that did not come through the edge, and adds the caller's
 * address to all others.
 */
export const edge = <Result>(hashes: readonly string[] | undefined, refusal: Result) => ({
  before({ event }: { readonly event: Requested }): Result | undefined {
    const { headers = {}, requestContext } = event
    if (hashes === undefined) return undefined
    if (!hashes.includes(edgeHash(headers[edgeHeader] ?? ''))) return refusal
    requestContext.http.sourceIp = headers[addressHeader] ?? requestContext.http.sourceIp
    return undefined
  },
})
