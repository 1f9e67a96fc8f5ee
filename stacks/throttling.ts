import { type Route, routeKeyOf } from '../functions/operations/operations.ts'
import type { Settings } from './settings.ts'

/** As many as two seconds' worth may come at once. */
const limit = (perSecond: number) => ({ throttlingRateLimit: perSecond, throttlingBurstLimit: 2 * perSecond })

/**
 * Settings of a route do not inherit from those of the stage. The dashboard and the budget alarms need metrics by route,
 * which cost extra.
 */
export const defaultThrottling = ({ limits, relied }: Settings) => ({
  ...limit(limits.all),
  detailedMetricsEnabled: relied,
})

/** Everybody can call the public routes. The exchange has one call per page view, the others are cached by who calls. */
export const publicThrottling = (routes: readonly Route[], { limits, relied }: Settings) =>
  routes
    .filter(({ access }) => access === 'public')
    .map((route) => ({
      routeKey: routeKeyOf(route),
      ...limit(route.id === 'exchange-session' ? limits.exchange : limits.public),
      detailedMetricsEnabled: relied,
    }))
