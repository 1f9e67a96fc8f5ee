import { type Route, routeKeyOf } from '../functions/operations/operations.ts'
import type { Settings } from './settings.ts'

/** Requests a second, and how many at once before that is enforced. */
const all = { throttlingRateLimit: 500, throttlingBurstLimit: 1000 }

/** The public routes are open to everybody; legitimate traffic there is one exchange per page view and rare key sets. */
const each = { throttlingRateLimit: 100, throttlingBurstLimit: 200 }

/** A route's settings don't inherit from those of the stage. Metrics by route cost extra, and feed the dashboard. */
export const defaultThrottling = ({ relied }: Settings) => ({ ...all, detailedMetricsEnabled: relied })

export const publicThrottling = (routes: readonly Route[], { relied }: Settings) =>
  routes
    .filter(({ access }) => access === 'public')
    .map((route) => ({ routeKey: routeKeyOf(route), ...each, detailedMetricsEnabled: relied }))
