import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from './api.ts'

/** Without an offset the service means UTC, and a browser its own zone. */
export const dateOf = (iso: string): Date => new Date(/T[\d:.]+$/.test(iso) ? `${iso}Z` : iso)

/** `2026-10-28 07:37 UTC`, with the exact moment for machines. */
export function Moment({ iso }: { iso: string }) {
  const date = dateOf(iso)
  const isDate = !Number.isNaN(date.getTime())
  const text = isDate ? `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC` : iso
  return <time dateTime={iso}>{text}</time>
}

/** The current time, new each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

export const item = (content: ComponentChildren, key: string | number) => (
  <li key={key} children={content} />
)

type Reason = Schemas['AccessReason']

export function inWords(reason: Reason, tenant: string): string {
  if (reason.source === 'tenant') return `shared with ${tenant}`
  if (reason.source === 'allEmbedUsers') return 'shared with all embed users'
  const whom = 'name' in reason.grantee ? reason.grantee.name : 'all embed users'
  return `through folder ${reason.folder.name}, shared with ${whom}`
}
