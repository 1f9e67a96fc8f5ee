export type MatchRoute<Route> = (
  method: string,
  path: string,
) => { readonly route: Route; readonly pathParameters: Readonly<Record<string, string>> | undefined } | undefined

/**
 * Finds the route of a request among those of one method and literal or variable segments, `GET /a/{b}`. No two of them fit
 * the same path. A trailing slash is an empty last segment, which fits neither a literal segment nor a variable.
 */
export function createRouteMatcher<Route extends { readonly routeKey: string }>(
  routes: readonly Route[],
): MatchRoute<Route> {
  const compiled = routes.map((route) => {
    const [method, path = ''] = route.routeKey.split(' ')
    const segments = path.split('/').map((text) => ({ text, variable: /^\{(.+)\}$/.exec(text)?.[1] }))
    return { route, method, segments }
  })
  return (method, path) => {
    const requested = path.split('/')
    const found = compiled.find(
      ({ method: own, segments }) =>
        own === method &&
        segments.length === requested.length &&
        segments.every(({ text, variable }, at) => (variable ? requested[at] !== '' : requested[at] === text)),
    )
    if (!found) return undefined
    const captured = found.segments.flatMap(({ variable }, at) => (variable ? [[variable, requested[at]]] : []))
    return { route: found.route, pathParameters: captured.length > 0 ? Object.fromEntries(captured) : undefined }
  }
}
