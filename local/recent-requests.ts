import type { RecentRequest } from './playground/api.ts'
import { credentials } from './request-lines.ts'

const mostKept = 100

/** Keeps the latest requests of the local server, for the playground. No credential is kept. */
export function recentRequests(now: () => number) {
  const kept: RecentRequest[] = []
  return {
    newestFirst: () => kept.toReversed(),
    keep({ request, ...told }: Omit<RecentRequest, 'at'>): void {
      // The gateway itself refuses a request without an Authorization header, and logs no reason.
      const reason = told.status === 401 ? (told.reason ?? 'no Authorization header') : undefined
      kept.push({ ...told, at: now(), request: shown(request), reason })
      if (kept.length > mostKept) kept.shift()
    },
  }
}

function shown(request: string): string {
  try {
    return decodeURIComponent(request).replaceAll(credentials, '…')
  } catch {
    return request.replaceAll(/%.*/g, '…').replaceAll(credentials, '…')
  }
}
