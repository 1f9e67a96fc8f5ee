import type { Caller, SessionEvent } from '@embed-access/core/sessions/audit.ts'
import type { Origin } from './origin.ts'
import type { Runtime } from './runtime.ts'

export type AuditEvent =
  | SessionEvent
  /** The credential is nobody's. The function's answer tells no reason. */
  | { readonly event: 'authorization.refused'; readonly reason: string }
  /** A function refused a known caller. */
  | {
      readonly event: 'request.refused'
      readonly code: string
      readonly by: Caller
      readonly deploymentId?: number | undefined
    }

/** The namespace of the metrics that CloudWatch makes from the events. */
export const metricNamespace = 'EmbedAccess'

/**
 * Writes an event as one line of JSON. CloudWatch makes a metric with the event's name from the `_aws` part (its
 * embedded metric format). The issuer tells the stages of an AWS account apart.
 * @param now milliseconds since the epoch
 */
export function audit(
  { log, issuer }: Pick<Runtime, 'log' | 'issuer'>,
  origin: Origin,
  now: number,
  event: AuditEvent,
): void {
  log({
    level: 'info',
    ...origin,
    time: new Date(now).toISOString(),
    issuer,
    ...event,
    [event.event]: 1,
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        { Namespace: metricNamespace, Dimensions: [['issuer']], Metrics: [{ Name: event.event, Unit: 'Count' }] },
      ],
    },
  })
}
