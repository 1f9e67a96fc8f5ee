type Segment = { readonly kind: 'static' | 'variable' | 'greedy'; readonly text: string }

type CompiledRoute<Route> = {
  readonly route: Route
  readonly method: string
  readonly segments: readonly Segment[]
  readonly isGreedy: boolean
}

export type RouteMatch<Route> = {
  readonly route: Route
  readonly pathParameters: Readonly<Record<string, string>> | undefined
}

export type MatchRoute<Route> = (method: string, path: string) => RouteMatch<Route> | undefined

const ROUTE_KEY = /^([A-Z]+) (\/\S*)$/
const SPECIFICITY = { static: 0, variable: 1, greedy: 2 } as const

export function createRouteMatcher<Route extends { readonly routeKey: string }>(
  routes: readonly Route[],
): MatchRoute<Route> {
  refuseDuplicateKeys(routes)
  const mostSpecificFirst = routes.map(compileRoute).sort(bySpecificity)

  return (method, path) => {
    const requested = path.split('/').slice(1)
    for (const candidate of mostSpecificFirst) {
      if (candidate.method !== 'ANY' && candidate.method !== method) continue
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
  const segments = path
    .split('/')
    .slice(1)
    .map((text) => compileSegment(text, route.routeKey))
  const greedyAt = segments.findIndex(({ kind }) => kind === 'greedy')
  if (greedyAt !== -1 && greedyAt !== segments.length - 1) throw invalidRouteKey(route.routeKey)
  return { route, method, segments, isGreedy: greedyAt !== -1 }
}

function compileSegment(text: string, routeKey: string): Segment {
  const variable = /^\{([^{}+]+)(\+?)\}$/.exec(text)
  if (variable?.[1] !== undefined) return { kind: variable[2] === '+' ? 'greedy' : 'variable', text: variable[1] }
  if (/[{}]/.test(text)) throw invalidRouteKey(routeKey)
  return { kind: 'static', text }
}

function invalidRouteKey(routeKey: string): Error {
  return new Error(`${JSON.stringify(routeKey)} is not a route key like "GET /a/{b}"`)
}

// AWS: a full match beats a greedy one, whatever comes before the greedy variable.
function bySpecificity<Route>(a: CompiledRoute<Route>, b: CompiledRoute<Route>): number {
  if (a.isGreedy !== b.isGreedy) return a.isGreedy ? 1 : -1
  for (const [index, segment] of a.segments.entries()) {
    const other = b.segments[index]
    if (other === undefined) return 1
    const difference = SPECIFICITY[segment.kind] - SPECIFICITY[other.kind]
    if (difference !== 0) return difference
  }
  if (a.segments.length !== b.segments.length) return -1
  return Number(a.method === 'ANY') - Number(b.method === 'ANY')
}

// A trailing slash is an empty last segment: it matches no static route and no {variable}, only a greedy one.
function capturePathParameters(
  segments: readonly Segment[],
  requested: readonly string[],
): [string, string][] | undefined {
  const captured: [string, string][] = []
  for (const [index, { kind, text }] of segments.entries()) {
    const value = requested[index]
    if (value === undefined) return undefined
    if (kind === 'greedy') return [...captured, [text, requested.slice(index).join('/')]]
    if (kind === 'static' ? value !== text : value === '') return undefined
    if (kind === 'variable') captured.push([text, value])
  }
  return requested.length === segments.length ? captured : undefined
}
