import type { ComponentChildren } from 'preact'
import type { Schemas } from './api.ts'

/** Without an offset the service means UTC, and a browser its own zone. */
export const dateOf = (iso: string): Date => new Date(/T[\d:.]+$/.test(iso) ? `${iso}Z` : iso)

/** `2026-10-28 07:37 UTC`, with the exact moment for machines. */
export function Moment({ iso }: { iso: string }) {
  const date = dateOf(iso)
  const text = Number.isNaN(date.getTime())
    ? iso
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return <time dateTime={iso}>{text}</time>
}

export const item = (content: ComponentChildren, key: string | number) => (
  <li key={key} children={content} />
)

/** A reason why an embed tenant sees a workbook. */
export function inWords(reason: Schemas['AccessReason'], tenant: string): string {
  if (reason.source !== 'folder')
    return `shared with ${reason.source === 'tenant' ? tenant : 'all embed users'}`
  const { folder, grantee } = reason
  const whom = 'name' in grantee ? grantee.name : 'all embed users'
  return `through folder ${folder.name}, shared with ${whom}`
}
