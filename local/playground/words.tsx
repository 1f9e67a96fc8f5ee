import type { ComponentChildren } from 'preact'

/** `2026-10-28 07:37 UTC`, with the exact moment for machines. */
export function Moment({ iso }: { iso: string }) {
  // Without an offset the service means UTC, and a browser its own zone.
  const date = new Date(/T[\d:.]+$/.test(iso) ? `${iso}Z` : iso)
  const text = Number.isNaN(date.getTime())
    ? iso
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return <time dateTime={iso}>{text}</time>
}

export const item = (content: ComponentChildren, key: string | number) => (
  <li key={key} children={content} />
)
