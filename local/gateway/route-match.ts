type Segment = { readonly isVariable: boolean; readonly text: string }

type CompiledRoute<Route> = {
  readonly route: Route
  readonly method: string
  readonly segments: readonly Segment[]
}

type RouteMatch<Route> = {
  readonly route: Route
  readonly pathParameters: Readonly<Record<string, string>> | undefined
}

export type MatchRoute<Route> = (method: string, path: string) => RouteMatch<Route> | undefined

const ROUTE_KEY = /^([A-Z]+) (\/\S*)$/

/** Finds the route of a request among those of one method and literal or variable segments, `GET /a/{b}`. */
export function createRouteMatcher<Route extends { readonly routeKey: string }>(
  routes: readonly Route[],
): MatchRoute<Route> {
  refuseDuplicateKeys(routes)
  const mostSpecificFirst = routes.map(compileRoute).sort(bySpecificity)

  return (method, path) => {
    const requested = path.split('/').slice(1)
    for (const candidate of mostSpecificFirst) {
      if (candidate.method !== method) continue
      const captured = capturePathParameters(candidate.segments, requested)
      if (captured === undefined) continue
      const pathParameters = captured.length > 0 ? Object.fromEntries(captured) : undefined
      return { route: candidate.route, pathParameters }
    }
    return undefined
  }
}

function refuseDuplicateKeys(routes: readonly { readonly routeKey: string }[]): void {
  const seen = new Set<string>()
  for (const { routeKey } of routes) {
    if (seen.has(routeKey)) throw new Error(`Route key ${JSON.stringify(routeKey)} is given twice`)
    seen.add(routeKey)
  }
}

function compileRoute<Route extends { readonly routeKey: string }>(route: Route): CompiledRoute<Route> {
  const [, method, path] = ROUTE_KEY.exec(route.routeKey) ?? []
  if (method === undefined || path === undefined) throw invalidRouteKey(route.routeKey)
  const segments = path.split('/').slice(1)
  return { route, method, segments: segments.map((text) => compileSegment(text, route.routeKey)) }
}

function compileSegment(text: string, routeKey: string): Segment {
  const variable = /^\{([^{}+]+)\}$/.exec(text)?.[1]
  if (variable !== undefined) return { isVariable: true, text: variable }
  if (/[{}]/.test(text)) throw invalidRouteKey(routeKey)
  return { isVariable: false, text }
}

function invalidRouteKey(routeKey: string): Error {
  return new Error(`${JSON.stringify(routeKey)} is not a route key like "GET /a/{b}"`)
}

/** At the first segment where two routes of one length differ, the literal one goes first. */
function bySpecificity(a: CompiledRoute<unknown>, b: CompiledRoute<unknown>): number {
  return shapeOf(a).localeCompare(shapeOf(b))
}

const shapeOf = ({ segments }: CompiledRoute<unknown>): string =>
  segments.map(({ isVariable }) => Number(isVariable)).join('')

/** A trailing slash is an empty last segment, which matches neither a literal segment nor a variable. */
function capturePathParameters(
  segments: readonly Segment[],
  requested: readonly string[],
): [string, string][] | undefined {
  if (requested.length !== segments.length) return undefined
  const captured: [string, string][] = []
  for (const [index, { isVariable, text }] of segments.entries()) {
    const value = requested[index] as string
    if (isVariable ? value === '' : value !== text) return undefined
    if (isVariable) captured.push([text, value])
  }
  return captured
}
