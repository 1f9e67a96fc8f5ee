import type { RecentRequest } from './playground/api.ts'

const mostKept = 100

/** What looks like a credential, which somebody may have put into a path by mistake. */
const credentials = /(?<![A-Za-z0-9])(?:sk-|eyJ)[^/]*|[\w-]{40,}/g

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
