/** Where a request came from, and to which route. Its id ties a line of a function to the access log. */
export type Origin = {
  readonly requestId: string
  readonly sourceIp: string
  readonly routeKey: string
  /** The caller's own trace, where it names one (W3C Trace Context). */
  readonly traceparent?: string | undefined
}

/** What the events of API Gateway for functions and for authorizers have in common. */
type Requested = {
  readonly routeKey: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly requestContext: { readonly requestId: string; readonly http: { readonly sourceIp: string } }
}

export const originOf = ({ routeKey, headers, requestContext }: Requested): Origin => ({
  routeKey,
  requestId: requestContext.requestId,
  sourceIp: requestContext.http.sourceIp,
  traceparent: traceparentIn(headers?.traceparent),
})

/** Version 00 alone, and nothing that is not hexadecimal: callers must not write into the log what they like. */
const traceparentIn = (header: string | undefined): string | undefined =>
  header !== undefined && /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(header) ? header : undefined
