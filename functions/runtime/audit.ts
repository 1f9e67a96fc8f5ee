import type { Caller } from '@embed-access/core/access/principal.ts'
import type { RevocationEvent, SessionEvent } from '@embed-access/core/sessions/audit.ts'
import type { Runtime } from './definition.ts'
import type { Origin } from './invocation-log.ts'
import { logMetrics, type MetricName } from './metrics.ts'

export type AuditEvent =
  | SessionEvent
  /** The credential is not good, or its issuer did not answer. The caller does not learn why. */
  | { readonly event: 'authorization.refused'; readonly reason: string }
  /** A function refused a known caller. */
  | {
      readonly event: 'request.refused'
      readonly code: string
      readonly by: Caller
      readonly deploymentId?: number | undefined
    }

/** The metrics that count events. A second redemption counts as refused, with its own reason. */
const counted: Readonly<Partial<Record<AuditEvent['event'], MetricName>>> = {
  'session.generated': 'sessionsMade',
  'session.redeemed': 'sessionsRedeemed',
  'session.refused': 'redemptionsRefused',
  'session.replayed': 'redemptionsRefused',
}

export function audit(runtime: Runtime, origin: Origin, event: AuditEvent): void {
  const metric = counted[event.event]
  logMetrics(runtime, runtime.now(), {
    level: 'info',
    ...origin,
    ...event,
    ...(metric && { [metric]: 1 }),
  })
}

/** Writes a revocation into the audit, also if it failed: it may have been made all the same. */
export async function auditRevocation(
  write: (event: AuditEvent) => void,
  event: RevocationEvent,
  revocation: Promise<void>,
): Promise<void> {
  await revocation.catch((error: unknown) => {
    write({ ...event, unanswered: true })
    throw error
  })
  write(event)
}
