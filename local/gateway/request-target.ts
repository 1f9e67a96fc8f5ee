export type RequestTarget = { readonly path: string; readonly rawQueryString: string }

const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i

/** Splits by hand: `new URL` would take `//host/path` for a host and quietly repair what AWS refuses. */
export function parseRequestTarget(target: string): RequestTarget | undefined {
  const isAbsolute = SCHEME_AND_AUTHORITY.test(target)
  const local = isAbsolute ? target.replace(SCHEME_AND_AUTHORITY, '') : target
  const queryAt = local.indexOf('?')
  const encodedPath = queryAt === -1 ? local : local.slice(0, queryAt)
  const rawQueryString = queryAt === -1 ? '' : local.slice(queryAt + 1)

  const path = decodeAsHttpApiDoes(isAbsolute && encodedPath === '' ? '/' : encodedPath)
  return path?.startsWith('/') ? { path, rawQueryString } : undefined
}

/**
 * An HTTP API decodes the path twice and cuts it at a `?` that the first pass uncovers; what cannot be decoded is
 * 400. So `%252F` arrives as `/`, `a%3Fb` as `a`, and `100%25` is refused. Others have captured this on AWS
 * (github.com/hotsock/voker, pull request 8). We have not tried it there.
 */
function decodeAsHttpApiDoes(encodedPath: string): string | undefined {
  try {
    const [beforeQuestionMark = ''] = decodeURIComponent(encodedPath).split('?', 1)
    return decodeURIComponent(beforeQuestionMark)
  } catch {
    return undefined
  }
}

export function parseQuery(rawQueryString: string): Readonly<Record<string, string>> | undefined {
  const joined = new Map<string, string>()
  // The leading `&` keeps URLSearchParams from dropping a `?` that belongs to the first name.
  for (const [name, value] of new URLSearchParams(`&${rawQueryString}`)) {
    const earlier = joined.get(name)
    joined.set(name, earlier === undefined ? value : `${earlier},${value}`)
  }
  return joined.size > 0 ? Object.fromEntries(joined) : undefined
}
