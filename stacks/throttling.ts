import { type Route, routeKeyOf } from '../functions/operations/operations.ts'
import type { Settings } from './settings.ts'

/** Requests per second, and how many may come at once. */
const all = { throttlingRateLimit: 500, throttlingBurstLimit: 1000 }

/**
 * Everybody can call the public routes. Real traffic there is one exchange per page view, and a key set now and then.
 */
const each = { throttlingRateLimit: 100, throttlingBurstLimit: 200 }

/**
 * Settings of a route do not inherit from those of the stage. The dashboard needs metrics by route, which cost extra.
 */
export const defaultThrottling = ({ relied }: Settings) => ({ ...all, detailedMetricsEnabled: relied })

export const publicThrottling = (routes: readonly Route[], { relied }: Settings) =>
  routes
    .filter(({ access }) => access === 'public')
    .map((route) => ({ routeKey: routeKeyOf(route), ...each, detailedMetricsEnabled: relied }))
