import { hash } from 'node:crypto'
import type { Environment } from './environment.ts'

/**
 * The header that CloudFront adds to each request, so that the API knows it from a request that
 * passes CloudFront by.
 */
export const edgeHeader = 'x-origin-verify'

/**
 * The header in which a function of CloudFront says the caller's address. It replaces what the
 * caller sent.
 */
export const addressHeader = 'true-client-ip'

/**
 * The environment variable with the SHA-256 hashes of the secrets, in hex, separated by commas.
 * Without it there is no edge.
 */
export const edgeVariable = 'EDGE_SECRET_HASHES'

/**
 * The secrets themselves stay with CloudFront: whoever reads a function's environment cannot pass
 * it by.
 */
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
 * Middleware that lets in only what came through the edge, with the caller's address. All others
 * get the refusal.
 */
export const edge = <Result>(hashes: readonly string[] | undefined, refusal: Result) => ({
  before({
    event: { headers = {}, requestContext },
  }: {
    readonly event: Requested
  }): Result | undefined {
    if (hashes === undefined) return undefined
    if (!hashes.includes(edgeHash(headers[edgeHeader] ?? ''))) return refusal
    requestContext.http.sourceIp = headers[addressHeader] ?? requestContext.http.sourceIp
    return undefined
  },
})
